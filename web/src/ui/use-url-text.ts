import { useEffect, useRef, useState } from 'react';

/** The URL lags by at most this long. */
const BEHIND_MS = 1_000;

/**
 * The text of a field whose value is kept in the URL: typing shows at once, and the URL follows. Another URL (Back, a link)
 * changes the text.
 */
export function useUrlText(value: string, onType: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const typedAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    // While somebody types, the URL lags behind.
    if (performance.now() - typedAtMs.current > BEHIND_MS) setTyped(value);
  }, [value]);
  return [
    typed,
    (text) => {
      setTyped(text);
      typedAtMs.current = performance.now();
      onType(text);
    },
  ];
}
