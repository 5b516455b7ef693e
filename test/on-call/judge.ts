// Compares what a walk has come to with the oracle, after each step.
import type { AlarmPlan } from '#src/on-call/alarm-plan-contract.ts';
import type { Duty, OnCallSettings, Ringing, Roster, Shift as ShownShift } from '#src/on-call/contract.ts';
import type { Drill, DrillRecord } from '#src/on-call/drills/contract.ts';
import type { Override } from '#src/on-call/overrides-contract.ts';
import type { Person, TestApp } from '../harness/app.ts';
import { makeComparison } from '../simulation/turns.ts';
import { planOf } from './chain.ts';
import type { Oracle } from './oracle.ts';
import { type Shift, shiftAt, shiftsFrom, type Who } from './rotation.ts';
import { PEOPLE } from './walk.ts';

type Judged = {
  app: TestApp;
  people: readonly Person[];
  oracle: Oracle;
  /** The address of everybody's calendar. */
  calendar: string;
  orgId: string;
  monitorIds: readonly string[];
  url: (path: string) => string;
};

const WEEKS = [1, 8, 52];
/** Weeks of a calendar. */
const HALF_A_YEAR = 26;

const nameOf = (who: Who | null) => (who === null ? null : (PEOPLE[who] ?? '?'));
const unix = (ms: number | null) => (ms === null ? null : Math.floor(ms / 1000));

/** One sentence for each difference. */
export async function judgeScene({
  app,
  people,
  oracle,
  calendar,
  orgId,
  monitorIds,
  url,
}: Judged): Promise<string[]> {
  const { wrong, compare } = makeComparison(app);
  const nowMs = app.clock.ms();
  const rotation = oracle.rotation();
  const ofId = new Map(people.map(({ userId }, who) => [userId, who]));
  const named = (id: string | null) => (id === null ? null : nameOf(ofId.get(id) ?? -1));
  /** Names the first that differs: lists are long. */
  const compareLists = (what: string, are: readonly unknown[], must: readonly unknown[]) => {
    const at = [...are, ...must].findIndex((_, i) => JSON.stringify(are[i]) !== JSON.stringify(must[i]));
    if (at >= 0) compare(`${what}, ${at + 1}.`, are[at] ?? null, must[at] ?? null);
  };
  const get = <T>(path: string) => app.alice.ok<T>('GET', url(path));
  const weeks = WEEKS[Math.floor(nowMs / 1000) % WEEKS.length] ?? 8;

  const [duty, settings, roster, shifts, overrides, plan, file] = await Promise.all([
    get<Duty>('on-call/duty'),
    get<OnCallSettings>('on-call/settings'),
    get<Roster>('on-call/members'),
    get<ShownShift[]>(`on-call/shifts?weeks=${weeks}`),
    get<Override[]>('on-call/overrides'),
    get<AlarmPlan>('on-call/alarm-plan'),
    fetch(`${app.url}${new URL(calendar).pathname}`).then((answer) => answer.text()),
  ]);
  const now = shiftAt(rotation, nowMs);
  compare(
    'duty',
    [named(duty.user_id), duty.source, duty.until_unix],
    [nameOf(now.who), now.source, unix(now.untilMs)],
  );
  compare('duty of the settings', named(settings.current_duty_user_id), nameOf(now.who));
  compare(
    'roster',
    roster.members.map(({ position, user_id }) => [position, named(user_id)]),
    rotation.roster.flatMap((who, position) => (who === null ? [] : [[position, nameOf(who)]])),
  );
  compare(
    'overrides',
    overrides.map((each) => [named(each.user_id), each.starts_at_unix, each.ends_at_unix]),
    oracle.overridesAt(nowMs).map((each) => [nameOf(each.who), unix(each.fromMs), unix(each.untilMs)]),
  );
  const shown = ({ who, source, fromMs, untilMs }: Shift) => [
    ...[nameOf(who), source, unix(fromMs), unix(untilMs)],
  ];
  // Where nobody takes turns, a shift that has no beginning may be shown from any.
  const takesTurns = rotation.on && rotation.mode === 'weekly' && rotation.roster.length > 0;
  const skipFirst = <T>(all: T[]) => (takesTurns ? all : all.slice(1));
  compareLists(
    `shifts of ${weeks} weeks`,
    skipFirst(shifts.map((each) => [named(each.user_id), each.source, each.from_unix, each.until_unix])),
    skipFirst(shiftsFrom(rotation, nowMs, weeks).map(shown)),
  );
  const entries = shiftsFrom(rotation, nowMs, HALF_A_YEAR);
  // What has no beginning, or no end, is drawn from some day on, for some time.
  const hasEnds = (from: number | null, until: number | null) => from !== null && until !== null;
  const bounded = entries.filter(({ who, fromMs, untilMs }) => who !== null && hasEnds(fromMs, untilMs));
  const isOpen = (from: number, until: number) =>
    !bounded.some(({ fromMs, untilMs }) => unix(fromMs) === from && unix(untilMs) === until);
  compareLists(
    'calendar',
    entriesIn(file)
      .filter(({ from, until }) => takesTurns || !isOpen(from, until))
      .map(({ who, from, until }) => [who, from, until]),
    bounded.map(({ who, fromMs, untilMs }) => [nameOf(who), unix(fromMs), unix(untilMs)]),
  );
  compare(
    'plan',
    plan.steps.map(({ step, after_minutes, fallback, people: reached }) => [
      ...[step, after_minutes, fallback],
      reached
        .map(({ user_id, channels }) =>
          [named(user_id), ...channels.map(({ channel, problem }) => problem ?? channel)].join(' '),
        )
        .sort(),
    ]),
    planOf(rotation, oracle.admins(), oracle.settings, nowMs).map(
      ({ step, minutes, fallback, people: reached }) => [
        ...[step, minutes, fallback],
        reached
          .map(({ who, by }) =>
            [
              nameOf(who),
              ...by.map((way) =>
                way === 'push' && !oracle.people[who]?.push ? 'no_push_subscription' : way,
              ),
            ].join(' '),
          )
          .sort(),
      ],
    ),
  );
  for (const [monitor, id] of monitorIds.entries()) {
    const own = await app.alice.ok<AlarmPlan>('GET', `/monitors/${id}/alarm-plan`);
    const quiet = oracle.isMaintained(monitor, nowMs) ? 'maintenance' : null;
    compare(`plan of monitor ${monitor}`, [own.quiet, own.steps], [quiet, plan.steps]);
  }
  for (const [who, person] of people.entries()) {
    const answer = await person.send<Ringing[]>('GET', url('on-call/ringing'));
    compare(
      `what rings for ${PEOPLE[who]}`,
      answer.status === 200 ? answer.body.map(({ incident_id }) => incident_id).sort() : [],
      oracle
        .ringsFor(who, nowMs)
        .map(({ id }) => id)
        .sort(),
    );
  }
  const drills = await get<Drill[]>('on-call/drills');
  compare(
    'drills',
    drills.map(({ id, outcome }) => [id, outcome]),
    oracle.drills.all.map(({ id, outcome }) => [id, outcome]),
  );
  const [drill] = oracle.drills.all;
  if (drill) {
    const { reaches, coming } = await get<DrillRecord>(`on-call/drills/${drill.id}`);
    compare(
      'lines of the drill',
      reaches
        .map(({ recipient_id, channel, state }) => [named(recipient_id), channel, state].join(' '))
        .sort(),
      drill.lines.map(({ who, channel, state }) => [nameOf(who), channel, state].join(' ')).sort(),
    );
    const ends = drill.outcome === null ? [unix(drill.endsMs)] : [];
    compare(
      'what is to come of the drill',
      coming.map(({ due_at_unix }) => due_at_unix).sort(),
      [...(drill.outcome === null ? drill.steps.map(({ dueMs }) => unix(dueMs)) : []), ...ends].sort(),
    );
  }
  const rows = await app.db
    .selectFrom('notices')
    .select(['user_id', 'channel', 'kind', 'state', 'created_at'])
    .where('org_id', '=', orgId)
    .where('state', '<>', 'cancelled')
    .execute();
  const [are, must] = [
    rows.map(({ user_id, channel, kind, state, created_at }) =>
      [created_at.toISOString(), named(user_id), channel, kind, state].join(' '),
    ),
    oracle.notices.map(({ who, channel, kind, sent, atMs }) =>
      [new Date(atMs).toISOString(), nameOf(who), channel, kind, sent ? 'sent' : 'failed'].join(' '),
    ),
  ];
  compare('mails and pushes', without(are, must), []);
  compare('mails and pushes that are missing', without(must, are), []);
  return wrong;
}

/** What is in the first list more often than in the second. */
function without(some: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return some.toSorted().filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The entries of a calendar, in order. */
function entriesIn(file: string): { who: string; from: number; until: number }[] {
  const times = (text: string) => {
    const [, year, month, day, hour, minute, second] =
      /(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?/.exec(text) ?? [];
    return (
      Date.UTC(
        Number(year),
        Number(month) - 1,
        Number(day),
        ...[hour, minute, second].map((n) => Number(n ?? 0)),
      ) / 1000
    );
  };
  return file
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((event) => ({
      // The administrator of a test has a name of their own.
      who: (/SUMMARY:On call: (\w+)/.exec(event)?.[1] ?? '?').replace('Admin', PEOPLE[0]),
      from: times(/DTSTART[^:]*:(\S+)/.exec(event)?.[1] ?? ''),
      until: times(/DTEND[^:]*:(\S+)/.exec(event)?.[1] ?? ''),
    }));
}
