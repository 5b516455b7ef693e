/** The device that a user agent names: `browser` and `system`, null where it does not tell. */
export type Device = { browser: string | null; system: string | null; kind: 'desktop' | 'phone' | 'program' };

// The first match wins. Newer browsers also name the older ones, so they come first.
const BROWSERS: [string, RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\b(?:OPR|Opera)\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* .*Safari\//],
];
const SYSTEMS: [string, RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows NT\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
];
const HAND_HELD = /\b(?:iPhone|iPad|Android|Mobile)\b/;

/** Parses a User-Agent header. A program (curl, a script) is named by its first token. */
export function deviceOf(userAgent: string | null): Device {
  const said = userAgent ?? '';
  const system = SYSTEMS.find(([, mark]) => mark.test(said))?.[0] ?? null;
  for (const [name, mark] of BROWSERS) {
    const version = mark.exec(said)?.[1];
    if (version === undefined) continue;
    return { browser: `${name} ${version}`, system, kind: HAND_HELD.test(said) ? 'phone' : 'desktop' };
  }
  const word = /^[\w.-]{1,40}(?:\/[\w.-]{1,20})?/.exec(said)?.[0] ?? null;
  return { browser: word === null ? null : word.replace('/', ' '), system, kind: 'program' };
}

/** The suggested name of a new passkey: the browser without its version, and the system. */
export function deviceName(userAgent: string): string {
  const { browser, system } = deviceOf(userAgent);
  return [browser?.replace(/ \d+$/, ''), system].filter((part) => part != null).join(', ');
}
