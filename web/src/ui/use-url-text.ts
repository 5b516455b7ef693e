import { useEffect, useRef, useState } from 'react';

/** The URL lags by at most this long. */
const BEHIND_MS = 1_000;

/**
 * The text of a field whose value is kept in the URL: typing shows at once, and the URL follows. Another URL (Back, a link, a
 * button that clears the filters) changes the text.
 */
export function useUrlText(value: string, onType: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(value);
  /** What was typed and the URL does not say yet, the oldest first. */
  const ahead = useRef<{ text: string; atMs: number }[]>([]);
  useEffect(() => {
    const since = performance.now() - BEHIND_MS;
    const recent = ahead.current.filter(({ atMs }) => atMs > since);
    const at = recent.findIndex(({ text }) => text === value);
    ahead.current = recent.slice(at + 1);
    if (at >= 0) return;
    ahead.current = [];
    setTyped(value);
  }, [value]);
  return [
    typed,
    (text) => {
      setTyped(text);
      ahead.current.push({ text, atMs: performance.now() });
      onType(text);
    },
  ];
}
