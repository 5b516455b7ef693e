import type { AppliedThing } from './contract.ts';

/** What was refused: if there is any, nothing was written. */
export const refusedThings = (things: readonly AppliedThing[]) =>
  things.filter(({ outcome }) => outcome === 'refused');
