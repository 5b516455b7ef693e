// Collects once what a start leaves behind. V8 grows a heap for the work of a start (migrations, modules, first lists), and
// afterwards, with little to do, has no reason to look through it for hours.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then everything that a start does is over, first checks and first jobs too. */
const AFTER_MS = 60_000;

/** The last resort also gives back what it has freed. */
type Collect = (how: { type: 'major'; flavor: 'last-resort' }) => void;

/**
 * Collects garbage a minute from now, which takes a tenth of a second. Not again and again: V8 forgets the compiled code of what
 * did not run between two collections, and an alarm may be rare.
 */
export function collectOnce(): void {
  // The function exists only in contexts that are made while the flag is set.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('typeof gc === "function" ? gc : null') as Collect | null;
  setFlagsFromString('--no-expose-gc');
  if (collect !== null) setTimeout(() => collect({ type: 'major', flavor: 'last-resort' }), AFTER_MS).unref();
}
