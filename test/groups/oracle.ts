// What must become of groups and of their members: docs/rules/confirmation.md#groups, #streaks, #opening, #recovery, #maintenance,
// #displayed-status and docs/rules/figures.md#uptime written down a second time, and nothing of src in it. All times are in seconds, with fractions.
import { makeOne, type One, type Status, type Window } from './one.ts';
import { uptimeOf } from './uptime.ts';
import { ALL, type Grouping, LEAVES, type Walk } from './walk.ts';

/** The platform's `failed_interval_seconds`. */
const AGAIN = 15;
/** How long a check of a monitor with the interval of the walks speaks: three intervals and the timeout. */
export const INTERVAL = 3600;
const SPOKEN = 3 * INTERVAL + 10;
const FOREVER = Number.POSITIVE_INFINITY;

export type Oracle = ReturnType<typeof makeOracle>;

export function makeOracle(walk: Walk, madeAt: number) {
  const all = Array.from({ length: ALL }, (_, of) => makeOne(of, walk, madeAt));
  const windows: Window[] = [];
  /** Groups that have to be evaluated. */
  const awake = new Set<number>();
  const groups = all.slice(LEAVES);

  const covers = ({ start, end }: Window, at: number) => start <= at && at < end;
  const maintained = (of: number, at: number) => windows.some((each) => each.of.has(of) && covers(each, at));
  const openOf = (one: One) => one.incidents.find(({ resolved }) => resolved === null);

  function shown(one: One): Status {
    if (one.declared > 0 || one.outage !== null) return 'failed';
    if (one.last === null) return null;
    return one.condition === 'failing' || one.last !== 'up' ? 'degraded' : 'passed';
  }

  function wakeGroupsOf(of: number): void {
    for (const each of groups) if (each.grouping?.members.includes(of)) awake.add(each.of);
  }

  /** Runs a change; groups hear of it if the status or the open incidents are others then. */
  function change(one: One, run: () => void): void {
    const seen = () => [shown(one), one.enabled, one.declared, openOf(one) !== undefined].join();
    const before = seen();
    run();
    if (seen() !== before) wakeGroupsOf(one.of);
  }

  /** What a member counts as now. */
  function counted(of: number, now: number): Status {
    const one = all[of]!;
    const status = shown(one);
    const excused = openOf(one) === undefined && one.declared === 0 && maintained(of, now);
    return status === 'failed' && excused ? null : status;
  }

  const asked = ({ members }: Grouping) => members.filter((of) => all[of]!.enabled);
  const failedOf = (grouping: Grouping, now: number) =>
    asked(grouping).filter((of) => counted(of, now) === 'failed');

  function judged(grouping: Grouping, now: number): One['last'] {
    const among = asked(grouping);
    const statuses = among.map((of) => counted(of, now)).filter((each) => each !== null);
    if (statuses.length === 0) return null;
    const { length } = failedOf(grouping, now);
    const { rule, value } = grouping;
    const isMet = length >= (rule === 'any_failed' ? 1 : rule === 'all_failed' ? among.length : (value ?? 0));
    if (isMet) return 'down';
    return statuses.every((each) => each === 'passed') ? 'up' : 'degraded';
  }

  /** Opens the incident of an outage that is due. */
  function open(one: One, now: number, triggered = now): void {
    const { outage } = one;
    if (outage === null || outage.open || outage.since + one.minimum > now) return;
    if (maintained(one.of, now)) {
      outage.blocked = true;
      return;
    }
    outage.open = true;
    one.incidents.push({
      ...{ started: outage.since, triggered, resolved: null, auto: null, phase: one.phase! },
      reason: outage.blocked
        ? 'maintenance_ended'
        : one.minimum > 0
          ? 'minimum_duration_passed'
          : 'quorum_reached',
      failed: one.grouping ? failedOf(one.grouping, now) : [],
    });
  }

  function end(one: One, now: number, auto: boolean): void {
    const incident = openOf(one);
    if (incident) Object.assign(incident, { resolved: now, auto });
    one.outage = null;
  }

  function result(one: One, status: 'up' | 'degraded' | 'down', now: number): void {
    one.last = status;
    if (status === 'down') {
      one.fails += 1;
      one.passes = 0;
      if (one.fails >= one.needs.fails) one.condition = 'failing';
      if (one.condition === 'failing' && one.outage === null) {
        one.phase ??= now;
        one.outage = { since: now, open: false, blocked: false };
      }
      open(one, now);
      return;
    }
    one.fails = 0;
    one.passes += 1;
    if (one.condition === 'recovered' || one.passes < one.needs.passes) return;
    one.condition = 'recovered';
    one.phase = null;
    end(one, now, true);
  }

  /** Streaks start over. */
  function startOver(one: One): void {
    if (one.condition === 'failing') one.condition = 'doubtful';
    one.fails = 0;
    one.passes = 0;
  }

  function evaluate(one: One, now: number): void {
    if (one.deleted || !one.enabled || one.grouping === null) return;
    one.again = FOREVER;
    const status = judged(one.grouping, now);
    if (status === one.last && one.condition !== 'doubtful') return;
    change(one, () => {
      if (status !== null) return result(one, status, now);
      // Nobody fails.
      result(one, 'up', now);
      one.last = null;
    });
  }

  /** Groups are evaluated, inner ones first. */
  function settle(now: number): void {
    for (const one of groups) if (awake.delete(one.of) || one.again <= now) evaluate(one, now);
  }

  return {
    windows,
    settle,
    one: (of: number) => all[of]!,
    check(of: number, status: 'up' | 'degraded' | 'down', now: number): void {
      const one = all[of]!;
      if (one.deleted || !one.enabled) return;
      // Another one of the same instant is not newer.
      if (one.spoken.at(-1)?.[0] === now) return;
      one.spoken.push([now, now + SPOKEN]);
      change(one, () => result(one, status, now));
    },
    /** Time has passed to `now`; call it at every time of `turns`. */
    tick(now: number): void {
      for (const window of windows)
        if (window.start === now || window.end === now) for (const of of window.of) wakeGroupsOf(of);
      for (const one of all) change(one, () => open(one, now));
      settle(now);
    },
    turns: (after: number): number[] =>
      [
        ...windows.flatMap(({ start, end }) => [start, end]),
        ...all.map(({ outage, minimum }) => (outage && !outage.open ? outage.since + minimum : FOREVER)),
        ...groups.map(({ again }) => again),
      ].filter((at) => at > after && at < FOREVER),
    regroup(of: number, grouping: Grouping): void {
      const one = all[of]!;
      const isSame = JSON.stringify(one.grouping) === JSON.stringify(grouping);
      if (isSame) return;
      change(one, () => {
        one.grouping = grouping;
        startOver(one);
        if (one.outage?.open) return;
        one.outage = null;
        one.phase = null;
      });
      awake.add(of);
      wakeGroupsOf(of);
    },
    minimum(of: number, seconds: number, now: number): void {
      const one = all[of]!;
      one.minimum = seconds;
      // What is due by a shorter one has been due since then.
      const at = Math.min(now, (one.outage?.since ?? now) + seconds);
      change(one, () => open(one, now, at));
    },
    plan(window: Window, now: number): void {
      windows.unshift(window);
      if (covers(window, now)) for (const of of window.of) wakeGroupsOf(of);
    },
    /** The window ends now, or never was. */
    unplan(window: Window, now: number, forGood: boolean): void {
      const was = covers(window, now);
      if (forGood) windows.splice(windows.indexOf(window), 1);
      else if (window.end > now) window.end = Math.max(window.start, now);
      if (!was) return;
      for (const of of window.of) {
        wakeGroupsOf(of);
        const one = all[of]!;
        change(one, () => open(one, now));
      }
    },
    switchTo(of: number, on: boolean, now: number): void {
      const one = all[of]!;
      if (one.enabled === on) return;
      change(one, () => {
        one.enabled = on;
        if (on) one.enabledSince = now;
        else one.enabledTimes.push([one.enabledSince, now]);
        if (!on) {
          one.declared = 0;
          end(one, now, true);
        }
        one.outage = null;
        one.phase = null;
        one.again = FOREVER;
        startOver(one);
      });
      awake.add(of);
    },
    delete(of: number): void {
      const one = all[of]!;
      wakeGroupsOf(of);
      one.deleted = true;
      one.outage = null;
      one.again = FOREVER;
      for (const { grouping } of groups) {
        if (!grouping?.members.includes(of)) continue;
        const members = grouping.members.filter((each) => each !== of);
        const value = grouping.value === null ? null : Math.max(1, Math.min(grouping.value, members.length));
        groups.find((each) => each.grouping === grouping)!.grouping = { ...grouping, members, value };
      }
      for (const window of windows) window.of.delete(of);
    },
    declare(of: number, by: 1 | -1): void {
      const one = all[of]!;
      change(one, () => {
        one.declared += by;
      });
      wakeGroupsOf(of);
    },
    resolve(of: number, now: number): void {
      const one = all[of]!;
      if (!openOf(one)) return;
      change(one, () => {
        end(one, now, false);
        if (one.condition !== 'failing') one.phase = null;
        startOver(one);
      });
      if (one.grouping) one.again = now + AGAIN;
    },
    shown(of: number, now: number) {
      const one = all[of]!;
      const ends = windows.filter((each) => each.of.has(of) && covers(each, now)).map((each) => each.end);
      return {
        status: shown(one),
        until: ends.length === 0 ? null : Math.max(...ends),
        incidents: one.incidents,
        uptime: uptimeOf(one, { all, windows, from: madeAt, now: Math.floor(now) }),
      };
    },
  };
}
