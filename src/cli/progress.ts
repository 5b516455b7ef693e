// Prints an occasional line on standard error while a command takes long.

const EVERY_MS = 5_000;

/** Prints the result of `line`, at most every 5 s and not before the first 5 s are over. */
export function progressLines(): (line: () => string) => void {
  let lastPrintMs = performance.now();
  return (line) => {
    if (performance.now() - lastPrintMs < EVERY_MS) return;
    lastPrintMs = performance.now();
    process.stderr.write(`${line()}\n`);
  };
}

/** 1234567 → 1.2 MB */
export function inBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const at = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`;
}

/** 1234567 → 1,234,567 */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
