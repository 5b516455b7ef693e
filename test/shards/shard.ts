// `npm test` runs the test files in a few processes, one file after the other in each, instead of one process a file:
// starting Node, loading the application and warming it up cost more than most files' tests do. A file stays what it was,
// and is run alone as ever: `node --test test/journeys/dashboard/pages.test.ts`.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { closeShared } from '../harness/database.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = ['src', 'probe', 'agent', 'test', 'web/src'].map((folder) => `${folder}/**/*.test.ts`);
/** Whom a process trusts over TLS is settled with its first connection: what plays with that has a process to itself. */
const ALONE = ['probe/types/**'];

/** How many processes the files share that do everything in their own process. */
const JOURNEYS = 9;

/** Starts programs, kills them and waits for them. */
const PROGRAMS =
  /\/(harness\/(installation|edge|agent-process|probe-process|bundled-postgres)|under-fire|quiet-side)\.ts'|'node:child_process'|startEmbedded/;

/** What decides where a file runs: the first whose pattern is in its path and its text. Each of them is one process. */
const BY_TEXT = [
  // Waits for real time by its nature, and next to nobody's processor: alone, and first.
  ['partition', /\/partition\.ts'/],
  ['browser', /\/harness\/(browser|page|dashboard)\.ts'/],
  ['sieges', PROGRAMS, 'test/siege/'],
  ['programs', PROGRAMS],
  // Every operation by every kind of caller, and with every kind of nonsense.
  ['walks', /\/operation-samples\.ts'/],
] as const;

/** The name of the shard that each test file belongs to. */
export function shards(): Map<string, string[]> {
  const files = globSync(FILES, { cwd: ROOT, exclude: ['test/shards/**', ...ALONE] }).sort();
  const all = new Map<string, string[]>();
  let journeys = 0;
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const shard =
      BY_TEXT.find(([, pattern, folder = '']) => file.startsWith(folder) && pattern.test(text))?.[0] ??
      (file.startsWith('test/') ? `journeys-${1 + (journeys++ % JOURNEYS)}` : 'units');
    all.set(shard, [...(all.get(shard) ?? []), file]);
  }
  return all;
}

/** Runs the files of a shard one after the other, each as a suite of its name. */
export function runShard(name: string): void {
  for (const file of shards().get(name) ?? [])
    describe(file, async () => {
      after(closeShared);
      await import(pathToFileURL(join(ROOT, file)).href);
    });
}
