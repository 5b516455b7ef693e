// What an answer that comes late must not do: by then the reader may be elsewhere.
import { type UseNavigateResult, useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** Whether the component is still there. */
export function useIsShown(): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

/**
 * For a dialog that is mounted anew at each opening: closes it while it is shown, and does nothing afterwards, when another may have
 * taken its place.
 */
export function useWhileShown(close: () => void): () => void {
  const isShown = useIsShown();
  return () => {
    if (isShown.current) close();
  };
}

/** For a form: leads to what it has saved, unless its page was left meanwhile. */
export function useNavigateWhileShown(): UseNavigateResult<string> {
  const isShown = useIsShown();
  const navigate = useNavigate();
  return async (to) => {
    if (isShown.current) await navigate(to);
  };
}
