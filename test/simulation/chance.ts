// Chance that can be had again: the same seed, the same world.

export type Chance = {
  /** From 0 up to but not including 1. */
  share: () => number;
  /** A whole number of the range, both ends included. */
  whole: (least: number, most: number) => number;
  one: <T>(of: readonly T[]) => T;
  /** True so often. */
  happens: (probability: number) => boolean;
};

/** Mulberry32: 32 bits of state, good enough to script a world and small enough to read. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const share = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(share() * (most - least + 1));
  return {
    share,
    whole,
    one: (of) => of[whole(0, of.length - 1)] as (typeof of)[number],
    happens: (probability) => share() < probability,
  };
}
