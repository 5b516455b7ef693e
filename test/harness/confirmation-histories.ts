// Histories of a monitor, made up by fast-check and lived through as a server would: what the properties of confirmation
// are held against.
import fc from 'fast-check';
import { monitorWith } from '#src/domain/confirmation.testing.ts';
import {
  type ConfirmationState,
  closeByHand,
  hasOpenIncident,
  healthy,
  type MonitorRules,
  passTime,
  processResult,
  type RegionResult,
  type Surroundings,
  type Verdict,
} from '#src/domain/confirmation.ts';
import { type CheckStatus, QUORUM_MODES, type QuorumMode } from '#src/domain/names.ts';

export const REGIONS = ['a', 'b', 'c', 'd'];
/** The reporting window of `monitorWith`. */
export const WINDOW_MS = 190_000;

export const subjects: fc.Arbitrary<MonitorRules> = fc
  .record({
    count: fc.integer({ min: 1, max: 4 }),
    alarm_consecutive: fc.integer({ min: 1, max: 3 }),
    recovery_consecutive: fc.integer({ min: 1, max: 3 }),
    alarm_min_duration_seconds: fc.constantFrom(0, 0, 45, 150),
    alarm_quorum_mode: fc.constantFrom(...QUORUM_MODES),
    recovery_quorum_mode: fc.constantFrom(...QUORUM_MODES),
    value: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ count, value, ...policy }) => {
    const quorumValue = (mode: string) => (mode === 'count' ? Math.min(value, count) : value * 25);
    const alarm_quorum_value = quorumValue(policy.alarm_quorum_mode);
    const recovery_quorum_value = quorumValue(policy.recovery_quorum_mode);
    return monitorWith({ ...policy, alarm_quorum_value, recovery_quorum_value }, REGIONS.slice(0, count));
  });

type Happening =
  | { kind: 'result'; region: string; status: CheckStatus; lateMs: number; probeFault: boolean }
  | { kind: 'online'; mask: number }
  | { kind: 'maintenance'; active: boolean }
  | { kind: 'closed_by_hand' };
export type History = { waitMs: number; happening: Happening }[];

export const statuses = fc.constantFrom<CheckStatus>('down', 'down', 'down', 'up', 'up', 'degraded');
const single: fc.Arbitrary<History> = fc
  .record({
    waitMs: fc.constantFrom(0, 1000, 10_000, 30_000, 250_000),
    region: fc.constantFrom(...REGIONS),
    status: statuses,
    lateMs: fc.constantFrom(0, 0, 0, 3000, 40_000, 300_000),
    probeFault: fc.constantFrom(false, false, false, true),
  })
  .map(({ waitMs, ...result }) => [{ waitMs, happening: { kind: 'result', ...result } }]);
/** Some of the regions see the same, a few times over: outages and recoveries are made of this. */
const spell: fc.Arbitrary<History> = fc
  .record({
    mask: fc.constantFrom(15, 15, 15, 14, 7, 11, 3, 5, 9, 6, 1, 8),
    status: statuses,
    rounds: fc.constantFrom(3, 2, 1, 4, 8),
    lateMs: fc.constantFrom(0, 0, 0, 3000, 40_000),
  })
  .map(({ mask, status, rounds, lateMs }) =>
    Array.from({ length: rounds }, () =>
      chosen(mask).map((region, i) => ({
        waitMs: i === 0 ? 27_000 : 1000,
        happening: { kind: 'result', region, status, lateMs, probeFault: false } as const,
      })),
    ).flat(),
  );
const changes: fc.Arbitrary<History> = fc
  .oneof(
    fc.record({ kind: fc.constant('online' as const), mask: fc.constantFrom(15, 14, 7, 3, 15, 0) }),
    fc.record({ kind: fc.constant('maintenance' as const), active: fc.constantFrom(false, false, true) }),
    fc.record({ kind: fc.constant('closed_by_hand' as const) }),
  )
  .map((happening) => [{ waitMs: 1000, happening }]);
export const histories: fc.Arbitrary<History> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: spell },
      { weight: 3, arbitrary: single },
      { weight: 1, arbitrary: changes },
    ),
    { minLength: 3, maxLength: 14, size: 'max' },
  )
  .map((parts) => parts.flat());

function chosen(mask: number): string[] {
  return REGIONS.filter((_, i) => mask & (1 << i));
}

export type Moment = {
  surroundings: Surroundings;
  result: RegionResult | null;
  before: ConfirmationState;
  after: ConfirmationState;
  events: readonly Verdict[];
};

/** A window begins now, or the one that is open ends. */
function toggled({ maintenance, nowMs }: Surroundings, active: boolean): Surroundings['maintenance'] {
  const isOpen = maintenance.at(-1)?.untilMs === Number.POSITIVE_INFINITY;
  if (active)
    return isOpen ? maintenance : [...maintenance, { fromMs: nowMs, untilMs: Number.POSITIVE_INFINITY }];
  return maintenance.map((window) => ({ ...window, untilMs: Math.min(window.untilMs, nowMs) }));
}

const resultOf = (
  { region, status, lateMs, probeFault }: Extract<Happening, { kind: 'result' }>,
  nowMs: number,
): RegionResult => ({ region, atMs: nowMs - lateMs, status, probeFault });

/** Which regions are online at an instant, by what was delivered up to then. */
export type OnlineAt = (nowMs: number, delivered: readonly RegionResult[]) => readonly string[];

/**
 * Lives through a history as a server would, jobs included; every call of the function is a moment. `onlineAt`: in place of
 * what the history says of it.
 */
export function live(rules: MonitorRules, history: History, onlineAt?: OnlineAt): Moment[] {
  const moments: Moment[] = [];
  let state = healthy;
  let surroundings: Surroundings = {
    nowMs: 1_000_000,
    onlineRegions: REGIONS,
    lastResultAtMs: {},
    maintenance: [],
  };
  let jobAtMs: number | null = null;
  const delivered: RegionResult[] = [];
  const at = (nowMs: number): Surroundings => ({
    ...surroundings,
    nowMs,
    onlineRegions: onlineAt?.(nowMs, delivered) ?? surroundings.onlineRegions,
  });
  const keep = (
    result: RegionResult | null,
    at: Surroundings,
    decision: ReturnType<typeof processResult>,
  ) => {
    moments.push({
      surroundings: at,
      result,
      before: state,
      after: decision.state,
      events: decision.events,
    });
    state = decision.state;
    jobAtMs = decision.reevaluateAtMs;
  };
  const runJob = () => {
    if (jobAtMs === null || jobAtMs > surroundings.nowMs) return;
    const due = at(jobAtMs);
    jobAtMs = null;
    keep(null, due, passTime(rules, state, due));
  };
  for (const { waitMs, happening } of history) {
    surroundings = { ...surroundings, nowMs: surroundings.nowMs + waitMs };
    runJob();
    if (happening.kind === 'result') delivered.push(resultOf(happening, surroundings.nowMs));
    surroundings = at(surroundings.nowMs);
    if (happening.kind === 'online')
      surroundings = { ...surroundings, onlineRegions: chosen(happening.mask) };
    if (happening.kind === 'maintenance') {
      surroundings = { ...surroundings, maintenance: toggled(surroundings, happening.active) };
      keep(null, surroundings, passTime(rules, state, surroundings));
    }
    if (happening.kind === 'closed_by_hand' && hasOpenIncident(state)) {
      moments.push({ surroundings, result: null, before: state, after: closeByHand(state), events: [] });
      state = closeByHand(state);
    }
    if (happening.kind === 'result') {
      const result = resultOf(happening, surroundings.nowMs);
      keep(result, surroundings, processResult(rules, state, result, surroundings));
    }
    runJob();
  }
  return moments;
}

/** Holds a check against as many histories. */
export const everyHistory = (
  check: (rules: MonitorRules, moments: Moment[], history: History) => void,
  numRuns = 1000,
) =>
  fc.assert(
    fc.property(subjects, histories, (rules, history) => check(rules, live(rules, history), history)),
    { numRuns },
  );

/** What a quorum asks for, counted out by the test itself. */
export function asked(mode: QuorumMode, value: number | null, regions: number): number {
  if (mode === 'any') return 1;
  if (mode === 'all') return regions;
  if (mode === 'majority') return [0, 1, 2, 2, 3][regions] ?? 0;
  if (mode === 'count') return value ?? 0;
  return [0, 1, 2, 3, 4].find((n) => n * 100 >= regions * (value ?? 0)) ?? 0;
}
