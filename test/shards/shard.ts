// `npm test` and `npm run test:long` run the test files in a few processes, one file after the other in each, instead of one process a file:
// starting Node, loading the application and warming it up cost more than most files' tests do. A file stays what it was,
// and is run alone as ever: `node --test test/journeys/dashboard/pages.test.ts`.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { closeShared } from '../harness/database.ts';
import { isLong } from './long.ts';
import { hashQuickly } from './quick-hashes.ts';

const require = createRequire(import.meta.url);
const ROOT = join(import.meta.dirname, '../..');
const FILES = ['src', 'probe', 'agent', 'pack', 'test', 'web/src'].map((folder) => `${folder}/**/*.test.ts`);

/** Starts programs, kills them and waits for them. */
const PROGRAMS =
  /\/(harness\/(installation|edge|agent-process|probe-process|bundled-postgres)|under-fire|quiet-side)\.ts'|'node:child_process'|startEmbedded/;

/** Sieges of a whole installation, or of threads of the probe: minutes of both processors, so `npm run siege` alone runs them. */
export const isSiegeOnly = (file: string, text: string): boolean =>
  file.startsWith('test/siege/') && (PROGRAMS.test(text) || file.endsWith('/probe-assertions.test.ts'));

/** What decides where a file runs: the first whose pattern is in its path or text. */
const KINDS = [
  // Checks of every type wait for targets that do not answer, and those over TLS share whom they trust.
  ['checks', /^probe\/types\/|\/trust\.ts'/],
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
const PROCESSES: Record<string, number> = {
  programs: 2,
  journeys: 6,
  'long-programs': 3,
  'long-browser': 3,
  'long-journeys': 2,
};

/** The test files of the repository but for the sieges that `npm run siege` alone runs, by the name of their shard. */
export function shards(): Map<string, string[]> {
  const files = globSync(FILES, { cwd: ROOT, exclude: ['test/shards/**'] }).sort();
  const all = new Map<string, string[]>();
  const seen = new Map<string, number>();
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    if (isSiegeOnly(file, text)) continue;
    const kind = (isLong(file) ? 'long-' : '') + kindOf(file, text);
    const before = seen.get(kind) ?? 0;
    seen.set(kind, before + 1);
    const processes = PROCESSES[kind];
    const shard = processes ? `${kind}-${1 + (before % processes)}` : kind;
    all.set(shard, [...(all.get(shard) ?? []), file]);
  }
  return all;
}

const kindOf = (file: string, text: string): string =>
  KINDS.find(([, pattern]) => pattern.test(`${file}\n${text}`))?.[0] ??
  (file.startsWith('test/') ? 'journeys' : 'units');

/** Whose passwords no other process checks, and which are not about what a hash costs. */
const HASHES_QUICKLY = /^(long-)?(journeys|walks|browser)/;

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
