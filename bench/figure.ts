// A benchmark: a name, a sentence, and a run that returns the rows of one table.
import type { StopHooks } from '../src/platform/stop-hooks.ts';

/** One row of the table: the measurement, the figure, the baseline of the same run, and their ratio. */
export type Row = { figure: string; tocsin: string; beside?: string; ratio?: string };

export type Context = {
  /** A smoke run: everything runs, but only for seconds; the figures mean little. */
  quick: boolean;
  /** Ten times as much, if a benchmark has a larger size; takes gigabytes and many minutes. */
  large: boolean;
  /** Progress, on standard error: standard output is for the table alone. */
  say: (line: string) => void;
  /** Registers everything that is started, with a way to end it. */
  hooks: StopHooks;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
};

export type Bench = {
  /** The method, in a few sentences under the table. */
  notes: readonly string[];
  rows: Row[];
};

export type RunBench = (context: Context) => Promise<Bench>;

/** `measured` beside `baseline`, as "2.4x". */
export function times(measured: number, baseline: number): string {
  const ratio = measured / baseline;
  return Number.isFinite(ratio) ? `${ratio.toFixed(ratio < 10 ? 2 : 0)}x` : '-';
}

/** A number with thousands separators: 12,345. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Milliseconds with sensible precision. */
export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

/** The q-th quantile (0 to 1) by the nearest rank; NaN if there are no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? Number.NaN;
}
