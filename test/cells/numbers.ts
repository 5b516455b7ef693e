// Numbers of a command line: whole or not, in their range, with a sentence for each that is not.
import { parseArgs } from 'node:util';

export type Numbers = Readonly<
  Record<string, { usual: number; least: number; most?: number; whole?: true; about: string }>
>;

/** The numbers as given, or as usual; a sentence about the first wrong word; null where help is asked for. */
export function numbersIn<N extends Numbers>(
  words: string[],
  numbers: N,
): Record<keyof N, number> | string | null {
  let given: Record<string, unknown>;
  try {
    const options = Object.fromEntries(
      Object.keys(numbers).map((name) => [name, { type: 'string' as const }]),
    );
    given = parseArgs({ args: words, options: { ...options, help: { type: 'boolean' } } }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (given.help === true) return null;
  const read: Record<string, number> = {};
  for (const [name, { usual, least, most = Number.MAX_SAFE_INTEGER, whole }] of Object.entries(numbers)) {
    const value = given[name] === undefined ? usual : Number(String(given[name]).trim() || Number.NaN);
    if (!(value >= least && value <= most) || (whole && !Number.isInteger(value)))
      return `--${name} takes ${whole ? 'a whole number' : 'a number'} from ${least}${most === Number.MAX_SAFE_INTEGER ? ' on' : ` to ${most}`}; "${given[name]}" is none.`;
    read[name] = value;
  }
  return read as Record<keyof N, number>;
}

/** One line per number, with its usual value. */
export function helpOf(numbers: Numbers): string {
  return Object.entries(numbers)
    .map(([name, { usual, about }]) => `${`  --${name} N`.padEnd(30)}${about} (${usual})\n`)
    .join('');
}
