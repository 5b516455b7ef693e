// The organizations of a simulated world: how large they are, how they grow, and when they leave.
import type { Chance } from '../simulation/chance.ts';

export type Organization = { no: number; monitors: number };

/** A Pareto distribution between two sizes: the smaller the exponent, the more of all monitors the largest have. */
export type Tail = { least: number; most: number; exponent: number };

export type Growth = {
  /** Share by which an organization grows in a month. */
  perMonth: number;
  /** Share of organizations that suddenly have three times as many monitors, a month. */
  leaps: number;
  /** Share of organizations that leave, a month. */
  leaves: number;
};

export const USUAL_TAIL: Tail = { least: 5, most: 5_000, exponent: 1.2 };
export const USUAL_GROWTH: Growth = { perMonth: 0.02, leaps: 0.005, leaves: 0.01 };

const LEAP = 3;

/** The size for a share of chance from 0 up to but not including 1: the inverse of the distribution. */
export function sizeAt(share: number, { least, most, exponent }: Tail): number {
  const shortest = least ** -exponent;
  const longest = most ** -exponent;
  const size = (shortest - share * (shortest - longest)) ** (-1 / exponent);
  return Math.min(most, Math.max(least, Math.floor(size)));
}

/** What the organization is a month later; null: it has left. */
export function aMonthLater(
  organization: Organization,
  { perMonth, leaps, leaves }: Growth,
  { most }: Tail,
  chance: Chance,
): Organization | null {
  if (chance.happens(leaves)) return null;
  const { monitors } = organization;
  const grown = chance.happens(leaps) ? monitors * LEAP : monitors * (1 + perMonth);
  // A share of a monitor is one with that probability: small ones grow, too.
  const whole = Math.floor(grown) + (chance.happens(grown - Math.floor(grown)) ? 1 : 0);
  return { ...organization, monitors: Math.min(most, whole) };
}
