// What is known of one monitor of a walk, checked or a group. All times are in seconds, with fractions.
import { LEAVES, type Walk } from './walk.ts';

export type Status = 'passed' | 'degraded' | 'failed' | null;
export type Incident = {
  started: number;
  triggered: number;
  resolved: number | null;
  auto: boolean | null;
  phase: number;
  reason: string;
  /** Of a group: the members that had failed, in the order in which it names them. */
  failed: number[];
};
export type Span = [from: number, until: number];
export type Window = { id: string; of: Set<number>; start: number; end: number; cancelled: boolean };

const FOREVER = Number.POSITIVE_INFINITY;

export type One = ReturnType<typeof makeOne>;

export function makeOne(of: number, { policies, groupings }: Walk, now: number) {
  const { fails, passes, minimum } = policies[of]!;
  const grouping = groupings[of - LEAVES] ?? null;
  return {
    ...{ of, grouping, minimum, enabled: true, deleted: false },
    /** Members are confirmed already. */
    needs: grouping ? { fails: 1, passes: 1 } : { fails, passes },
    condition: 'recovered' as 'recovered' | 'failing' | 'doubtful',
    fails: 0,
    passes: 0,
    last: null as 'up' | 'degraded' | 'down' | null,
    outage: null as { since: number; open: boolean; blocked: boolean } | null,
    phase: null as number | null,
    /** People's incidents that are open. */
    declared: 0,
    /** A group whose incident a person has closed is evaluated then. */
    again: FOREVER,
    incidents: [] as Incident[],
    enabledSince: now,
    enabledTimes: [] as Span[],
    spoken: [] as Span[],
  };
}
