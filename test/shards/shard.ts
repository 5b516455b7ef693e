// `npm test` runs the test files in a few processes, one file after the other in each, instead of one process a file:
// starting Node, loading the application and warming it up cost more than most files' tests do. A file stays what it was,
// and is run alone as ever: `node --test test/journeys/dashboard/pages.test.ts`.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { closeShared } from '../harness/database.ts';
import { hashQuickly } from './quick-hashes.ts';

const require = createRequire(import.meta.url);
const ROOT = join(import.meta.dirname, '../..');
const FILES = ['src', 'probe', 'agent', 'pack', 'test', 'web/src'].map((folder) => `${folder}/**/*.test.ts`);
/** Whom a process trusts over TLS is settled with its first connection: what plays with that has a process to itself. */
export const ALONE = ['probe/types/**', 'test/journeys/monitors/proposals.test.ts'];

/** Starts programs, kills them and waits for them. */
const PROGRAMS =
  /\/(harness\/(installation|edge|agent-process|probe-process|bundled-postgres)|under-fire|quiet-side)\.ts'|'node:child_process'|startEmbedded/;

/** Sieges of a whole installation, or of threads of the probe: minutes of both processors, so `npm run siege` alone runs them. */
export const isSiegeOnly = (file: string, text: string): boolean =>
  file.startsWith('test/siege/') && (PROGRAMS.test(text) || file.endsWith('/probe-assertions.test.ts'));

/** What decides where a file runs: the first whose pattern is in its text. */
const BY_TEXT = [
  // Waits for real time by its nature, and next to nobody's processor: alone, and first.
  ['partition', /\/partition\.ts'/],
  ['browser', /\/harness\/(browser|page|dashboard)\.ts'/],
  ['programs', PROGRAMS],
  // Every operation by every kind of caller, and with every kind of nonsense.
  ['walks', /\/operation-samples\.ts'/],
] as const;

/**
 * In how many processes the files of a kind run; in one where it is not said. Programs and browsers mostly wait: in one
 * process they would still run when all others are done.
 */
const PROCESSES: Record<string, number> = { programs: 3, browser: 3, journeys: 6 };

/**
 * CPU seconds, alone on two cores, of the files that take most, so that the processes of a kind get equal work and end together.
 * All others count as one or so.
 */
export const SECONDS: Readonly<Record<string, number>> = {
  'test/journeys/dashboard/every-view.test.ts': 48,
  'test/journeys/dashboard/account.test.ts': 23,
  'test/journeys/dashboard/overview.test.ts': 23,
  'test/journeys/dashboard/all-monitors.test.ts': 20,
  'test/journeys/installing/tarball.test.ts': 20,
  'test/journeys/dashboard/loading.test.ts': 19,
  'test/journeys/dashboard/loud-alarm.test.ts': 19,
  'test/journeys/dashboard/monitors.test.ts': 19,
  'test/journeys/dashboard/palette.test.ts': 17,
  'test/journeys/server/kill.test.ts': 16,
  'test/journeys/dashboard/hosts.test.ts': 15,
  'test/journeys/dashboard/incidents.test.ts': 15,
  'test/journeys/dashboard/status-pages.test.ts': 15,
  'test/journeys/dashboard/organization.test.ts': 14,
  'src/supervise/serve.test.ts': 13,
  'test/journeys/dashboard/on-call.test.ts': 12,
  'test/journeys/dashboard/status-page-domains.test.ts': 12,
  'test/journeys/dashboard/charts.test.ts': 11,
  'test/journeys/dashboard/alarm-policy.test.ts': 9,
  'test/journeys/dashboard/regions.test.ts': 9,
  'test/journeys/dashboard/warnings.test.ts': 9,
  'test/journeys/server/fuzz.test.ts': 9,
  'test/journeys/server/self-monitoring.test.ts': 8,
  'src/platform/db/embedded.test.ts': 7,
  'test/journeys/dashboard/reports.test.ts': 7,
  'test/journeys/figures/rollup.test.ts': 7,
  'test/journeys/figures/series-at-scale.test.ts': 7,
  'test/journeys/figures/uptime.test.ts': 7,
  'test/journeys/server/backup-commands.test.ts': 7,
  'test/journeys/status-pages/documents.test.ts': 7,
  'test/journeys/agents/upgrade.test.ts': 6,
  'test/journeys/dashboard/overview-and-wall.test.ts': 6,
};
const OTHER_SECONDS = 1.2;

/** The files of each shard, by its name. */
export function shards(): Map<string, string[]> {
  const files = globSync(FILES, { cwd: ROOT, exclude: ['test/shards/**', ...ALONE] }).sort();
  const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
  const run = files.filter((file) => !isSiegeOnly(file, texts.get(file)!));
  const all = new Map<string, string[]>();
  for (const [kind, own] of Map.groupBy(run, (file) => kindOf(file, texts.get(file)!))) {
    const processes = PROCESSES[kind];
    if (processes === undefined) all.set(kind, own);
    else for (const [i, some] of inEqualParts(own, processes).entries()) all.set(`${kind}-${i + 1}`, some);
  }
  return all;
}

const kindOf = (file: string, text: string): string =>
  BY_TEXT.find(([, pattern]) => pattern.test(text))?.[0] ?? (file.startsWith('test/') ? 'journeys' : 'units');

/** Deals files out to so many processes: those that take longest first, each to the process that has least. */
function inEqualParts(files: readonly string[], count: number): string[][] {
  const parts = Array.from({ length: count }, () => ({ seconds: 0, files: [] as string[] }));
  const secondsOf = (file: string) => SECONDS[file] ?? OTHER_SECONDS;
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const least = parts.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    least.seconds += secondsOf(file);
    least.files.push(file);
  }
  return parts.map((part) => part.files);
}

/** Whose passwords no other process checks, and which are not about what a hash costs. */
const HASHES_QUICKLY = /^(journeys|walks|browser)/;

/** Runs the files of a shard one after the other, each as a suite of its name. */
export function runShard(name: string): void {
  if (HASHES_QUICKLY.test(name)) hashQuickly();
  for (const file of shards().get(name) ?? [])
    describe(file, () => {
      after(closeShared);
      // At once, and not by `import`: behind an await node:test no longer knows which suite it is in (without-promise-hooks.ts).
      require(join(ROOT, file));
    });
}
