// The meaning of a key outside of fields: alone, or after "g". Pure.

/** The page for a key after "g". */
export const GO_KEYS = {
  v: 'overview',
  m: 'monitors',
  a: 'allMonitors',
  i: 'incidents',
  o: 'onCall',
  w: 'maintenance',
  h: 'hosts',
  p: 'statusPages',
  r: 'reports',
  n: 'notifications',
  s: 'settings',
  u: 'account',
} as const;
export type GoPlace = (typeof GO_KEYS)[keyof typeof GO_KEYS];

export type Command = { do: 'help' | 'search' | 'next' | 'previous' } | { do: 'go'; place: GoPlace };

export type PressedKey = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  isComposing: boolean;
  /** Milliseconds of the browser's clock. */
  timeStamp: number;
};

/** Longer after "g" a key stands for itself. */
export const SEQUENCE_TIMEOUT_MS = 1_500;

const ALONE: Readonly<Record<string, 'help' | 'search' | 'next' | 'previous'>> = {
  '?': 'help',
  '/': 'search',
  j: 'next',
  k: 'previous',
};

const isGoKey = (key: string): key is keyof typeof GO_KEYS => Object.hasOwn(GO_KEYS, key);

/**
 * The meaning of a key. `goAt`: when "g" was pressed, while the second key is awaited. AltGr does not count as a modifier:
 * some keyboards need it for "/".
 */
export function commandOf(
  pressed: PressedKey,
  goAt: number | null,
): { command: Command | null; goAt: number | null } {
  const { key, timeStamp } = pressed;
  // A modifier alone precedes another key: most keyboards need Shift for "?", some for "/".
  if (['Shift', 'AltGraph', 'CapsLock'].includes(key)) return { command: null, goAt };
  const isHeld = pressed.ctrlKey || pressed.metaKey || pressed.altKey || pressed.isComposing;
  if (isHeld || (pressed.shiftKey && /^[a-z]$/i.test(key))) return { command: null, goAt: null };
  if (goAt !== null && timeStamp - goAt <= SEQUENCE_TIMEOUT_MS && isGoKey(key))
    return { command: { do: 'go', place: GO_KEYS[key] }, goAt: null };
  if (key === 'g') return { command: null, goAt: timeStamp };
  const alone = Object.hasOwn(ALONE, key) ? ALONE[key] : undefined;
  return { command: alone === undefined ? null : { do: alone }, goAt: null };
}
