// The program that tests start. Within `npm test` it is what an installation of a checkout runs: a few built files, which start at
// half the cost of 2,400 modules whose types are stripped first. A file that runs alone starts the sources.
import { join } from 'node:path';
import { changedAtMs, newestMs, sourcesIn } from '#src/supervise/newest-source.ts';

/** Set by the global set-up of `npm test`, which has built it. */
const VARIABLE = 'TOCSIN_TEST_PROGRAM';
const ROOT = join(import.meta.dirname, '../..');
const BUILT = join(ROOT, 'dist/program/main.js');

/** The file to give to Node before a command's words. */
export const programPath = (): string => process.env[VARIABLE] ?? join(ROOT, 'src/main.ts');

/**
 * The compile cache of the tests, for a program that begins without it and is started from the sources: they start at a third
 * of the cost.
 */
export function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};
}

/** Lets this process and its children start what is built, unless a source is newer. */
export async function startWhatIsBuilt(): Promise<void> {
  const isSource = (path: string) => path.endsWith('.ts');
  const folders = ['src', 'probe', 'agent', 'pack'].map((folder) => sourcesIn(join(ROOT, folder), isSource));
  const sources = (await Promise.all(folders)).flat();
  if ((await changedAtMs(BUILT)) >= (await newestMs(sources))) process.env[VARIABLE] = BUILT;
}
