// What a key means outside of fields: one alone, or one after "g". Pure.

/** Where a key after "g" leads. */
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

/** Longer after "g" the next key stands for itself. */
export const PATIENCE_MS = 1_500;

const ALONE: Readonly<Record<string, 'help' | 'search' | 'next' | 'previous'>> = {
  '?': 'help',
  '/': 'search',
  j: 'next',
  k: 'previous',
};

const isGoKey = (key: string): key is keyof typeof GO_KEYS => Object.hasOwn(GO_KEYS, key);

/**
 * What a key means. `goAt`: when "g" was pressed, while the key after it is still waited for. AltGr counts as no modifier:
 * some keyboards need it for "/".
 */
export function commandOf(
  pressed: PressedKey,
  goAt: number | null,
): { command: Command | null; goAt: number | null } {
  const { key, timeStamp } = pressed;
  // A modifier alone is on its way to a key: "?" needs Shift on most keyboards, "/" on some.
  if (['Shift', 'AltGraph', 'CapsLock'].includes(key)) return { command: null, goAt };
  const isHeld = pressed.ctrlKey || pressed.metaKey || pressed.altKey || pressed.isComposing;
  if (isHeld || (pressed.shiftKey && /^[a-z]$/i.test(key))) return { command: null, goAt: null };
  if (goAt !== null && timeStamp - goAt <= PATIENCE_MS && isGoKey(key))
    return { command: { do: 'go', place: GO_KEYS[key] }, goAt: null };
  if (key === 'g') return { command: null, goAt: timeStamp };
  const alone = Object.hasOwn(ALONE, key) ? ALONE[key] : undefined;
  return { command: alone === undefined ? null : { do: alone }, goAt: null };
}
