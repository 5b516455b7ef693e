// The state of an open form beside its resource, which others may change.
import { useState } from 'react';
import { type Clash, clashesOf, type Depth, mergedOf, type Prefer } from './clashes.ts';

export type Meanwhile<V> = {
  /** The values that the form's changes are counted from. */
  base: V;
  clashes: Clash[];
  /** How often saving was stopped by a clash. */
  stopped: number;
  /** Whether `mine` may be saved over `theirs`, as the server has just read it; otherwise the form shows the clashes. */
  admits: (mine: V, theirs: V) => boolean;
  /** Both changes together, and where they exclude each other, `mine`. */
  together: (mine: V, theirs: V) => V;
  /** Ends the clashes: both changes together, and where they exclude each other, the preferred one. */
  settle: (prefer: Prefer) => void;
  /** The form was saved, or follows: its changes are counted from here. */
  rebase: (base: V) => void;
};

/** `stored`: as last read; `values`: those of the form, which `set` replaces. */
export function useMeanwhile<V extends object>(
  stored: V,
  values: V,
  set: (values: V) => void,
  depth: Depth = 2,
): Meanwhile<V> {
  const [base, setBase] = useState(stored);
  const [stopped, setStopped] = useState(0);
  return {
    base,
    clashes: clashesOf(base, values, stored, depth),
    stopped,
    admits(mine, theirs) {
      const isFree = clashesOf(base, mine, theirs, depth).length === 0;
      if (!isFree) setStopped(stopped + 1);
      return isFree;
    },
    together: (mine, theirs) => mergedOf(base, mine, theirs, 'mine', depth),
    settle(prefer) {
      set(mergedOf(base, values, stored, prefer, depth));
      setBase(stored);
    },
    rebase: setBase,
  };
}
