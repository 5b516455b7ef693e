// Tracks the check that the main loop is currently working for. Every callback of a socket, resolver, parser or timer belongs
// to the check that opened it, so monitor types need no code for it.
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import type { CheckAtWork } from './loop-ledger.ts';

const atWork = new AsyncLocalStorage<CheckAtWork | undefined>();

/** Runs a step, and everything that it begins, for a check; undefined: for none in particular. */
export const workFor = <T>(check: CheckAtWork | undefined, step: () => T): T => atWork.run(check, step);

/**
 * Reports, at the beginning of each callback of the main loop, the check it belongs to. Promise continuations belong to the
 * callback that resolved them. Returns a function that stops it.
 */
export function followWork(turn: (check: CheckAtWork | undefined) => void): () => void {
  const hook = createHook({ before: () => turn(atWork.getStore()), trackPromises: false }).enable();
  return () => void hook.disable();
}
