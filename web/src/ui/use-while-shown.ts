import { useEffect, useRef } from 'react';

/**
 * For a dialog that is mounted anew at each opening: closes it while it is shown, and does nothing afterwards. What it sent may be
 * answered when another has taken its place.
 */
export function useWhileShown(close: () => void): () => void {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => {
    if (isShown.current) close();
  };
}
