// Pure: the name of a browser in its user's list.

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  // Browsers that also call themselves Chrome or Safari come first.
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** "Firefox on Windows", from a User-Agent header; "Browser" if it is unknown. */
export function browserName(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, 1000);
  const named = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(text))?.[1];
  const system = named(SYSTEMS);
  return `${named(BROWSERS) ?? 'Browser'}${system ? ` on ${system}` : ''}`;
}
