// The check that the main loop works for right now: known of every callback of whatever a check opened or waits for, be it a
// socket, a resolver, a parser or a timer, so that no kind of check has to say it.
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import type { CheckAtWork } from './loop-ledger.ts';

const atWork = new AsyncLocalStorage<CheckAtWork | undefined>();

/** Does a step, and everything that it begins, for a check; undefined: for none in particular. */
export const workFor = <T>(check: CheckAtWork | undefined, step: () => T): T => atWork.run(check, step);

/**
 * Tells, at the beginning of each callback of the main loop, which check it is of. What follows by promises belongs to the
 * callback that they came true in. Answers how to stop.
 */
export function followWork(turn: (check: CheckAtWork | undefined) => void): () => void {
  const hook = createHook({ before: () => turn(atWork.getStore()), trackPromises: false }).enable();
  return () => void hook.disable();
}
