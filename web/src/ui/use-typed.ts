import { useEffect, useRef, useState } from 'react';

/** No address is longer behind. */
const BEHIND_MS = 1_000;

/**
 * What stands in a field whose value is kept in the address: letters are there at once, the address follows when it can. Another
 * address (back, a link) changes what stands in the field.
 */
export function useTyped(value: string, onType: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const typedAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    // While somebody types, the address is that of a moment ago.
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
