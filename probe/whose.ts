// Whose work the main loop does right now: known of every callback of whatever a check opened or waits for, be it a socket, a
// resolver, a parser or a timer, so that no kind of check has to say it.
import { AsyncLocalStorage, createHook } from 'node:async_hooks';

/** Somebody whose work is told from that of others. */
export type Owner = {
  readonly name: string;
  /** Told how many milliseconds of processor time the main loop had for it. */
  readonly charge?: ((ms: number) => void) | undefined;
};

const owners = new AsyncLocalStorage<Owner | undefined>();

/** Does a step, and everything that it begins, for an owner; undefined: for nobody in particular. */
export const workFor = <T>(owner: Owner | undefined, step: () => T): T => owners.run(owner, step);

/**
 * Tells, at the beginning of each callback of the main loop, whose it is. What follows by promises belongs to the callback
 * that they came true in. Answers how to stop.
 */
export function followWork(turn: (owner: Owner | undefined) => void): () => void {
  const hook = createHook({ before: () => turn(owners.getStore()), trackPromises: false }).enable();
  return () => void hook.disable();
}
