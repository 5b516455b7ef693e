// The outcome of each line of an import, before and after it. Pure.
import type { CreatedMonitor } from '#src/monitors/many/contract.ts';
import type { ImportLine } from './lines.ts';

export type Verdict = 'ready' | 'problem' | 'twice' | 'watched' | 'refused' | 'made';

export type CheckedLine = ImportLine & {
  verdict: Verdict;
  /** The server's sentence, if it refuses or has refused the line. */
  refusal: string | null;
  /** The id of the created monitor. */
  monitorId: string | null;
};

export type ImportState = {
  /** Keys (`targetKeyOf`) of the targets that are already monitored; null: ignore duplicates. */
  watched: ReadonlySet<string> | null;
  keyOf: (line: ImportLine) => string;
  /** Lines that the server would refuse or has refused, by line number. */
  refused: ReadonlyMap<number, string>;
  /** Created monitors, by line number. */
  made: ReadonlyMap<number, CreatedMonitor>;
};

export function checkLines(
  lines: readonly ImportLine[],
  { watched, keyOf, refused, made }: ImportState,
): CheckedLine[] {
  return lines.map((line) => {
    const done = made.get(line.no);
    const refusal = refused.get(line.no) ?? null;
    return {
      ...line,
      refusal,
      monitorId: done?.monitor_id ?? null,
      verdict: done?.monitor_id
        ? 'made'
        : line.monitor === null
          ? 'problem'
          : line.sameAs !== null
            ? 'twice'
            : watched?.has(keyOf(line))
              ? 'watched'
              : refusal === null
                ? 'ready'
                : 'refused',
    };
  });
}

/** Lines to create, whatever the server's validation says. */
export const isWanted = ({ verdict }: CheckedLine): boolean => verdict === 'ready' || verdict === 'refused';

export function countVerdicts(lines: readonly CheckedLine[]): ReadonlyMap<Verdict, number> {
  const counts = new Map<Verdict, number>();
  for (const { verdict } of lines) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return counts;
}
