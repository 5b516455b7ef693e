import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesUntil, type PlannedStep, planChain, recipientsOf } from './escalation.ts';
import type { Rotation } from './rotation.ts';

const MONDAY = Date.parse('2026-03-02T00:00:00Z');
const WEEK_MS = 7 * 86_400_000;
const rotation = (roster: (string | null)[], fields: Partial<Rotation> = {}): Rotation => ({
  active: true,
  timezone: 'UTC',
  mode: 'weekly',
  manualUserId: null,
  roster,
  rosterSetAtMs: MONDAY,
  overrides: [],
  ...fields,
});
const ADMINS = ['owner', 'admin'];
const one = (userId: string) => ({ userIds: [userId], fallback: false });
const admins = { userIds: ADMINS, fallback: true };
/** The people that the start of an alarm at that instant has reached. */
const onDuty = (of: Rotation, at: number) => new Set(recipientsOf('start', of, [], at).userIds);
const in3rdWeek = MONDAY + 2 * WEEK_MS;

test('the start and the mail go to the person on call', () => {
  for (const step of ['start', 'mail'] as const) {
    assert.deepEqual(recipientsOf(step, rotation(['a', 'b', 'c']), ADMINS, MONDAY), one('a'));
    assert.deepEqual(recipientsOf(step, rotation(['a', 'b', 'c']), ADMINS, MONDAY + WEEK_MS), one('b'));
  }
});

test('without anybody on call the administrators are notified instead', () => {
  for (const gap of [
    rotation([]),
    rotation([null, 'b']),
    rotation(['a'], { active: false }),
    rotation(['a'], { mode: 'manual' }),
  ])
    assert.deepEqual(recipientsOf('start', gap, ADMINS, MONDAY), admins);
});

test('stage 1 goes to the next person on the roster: wrapping around, skipping former members, never the same person', () => {
  for (const [roster, at, next] of [
    [['a', 'b', 'c'], MONDAY, 'b'],
    [['a', 'b', 'c'], in3rdWeek, 'a'],
    [['a', null, 'c'], MONDAY, 'c'],
    [['a', 'b', null], in3rdWeek - WEEK_MS, 'a'],
    // Nobody is on duty: the one whose week comes next.
    [['a', 'b', null], in3rdWeek, 'a'],
    [[null, null, 'c'], MONDAY, 'c'],
  ] as const)
    assert.deepEqual(
      recipientsOf('stage1', rotation([...roster]), ADMINS, at, onDuty(rotation([...roster]), at)),
      one(next),
      String(roster),
    );
});

test('stage 1 without another member goes to the administrators', () => {
  for (const roster of [['a'], ['a', null], [null, null], []])
    assert.deepEqual(
      recipientsOf('stage1', rotation(roster), ADMINS, MONDAY, onDuty(rotation(roster), MONDAY)),
      admins,
    );
});

test('after a handover stage 1 goes to the new person on call, or else to the next whom the alarm has not reached', () => {
  const at = (reached: string[], roster: (string | null)[] = ['a', 'b', 'c']) =>
    recipientsOf('stage1', rotation(roster), ADMINS, MONDAY + WEEK_MS, new Set(reached));
  assert.deepEqual(at(['a']), one('b'));
  assert.deepEqual(at(['a', 'b']), one('c'));
  assert.deepEqual(at(['a', 'b', 'c']), admins);
  assert.deepEqual(at(['a'], ['a', null, 'c']), one('c'));
  assert.deepEqual(at(['owner', 'c'], ['a', null, 'c']), one('a'));
});

test('for a person set by hand, the next is the successor on the roster, or its first member', () => {
  const by = (manualUserId: string | null) => {
    const manual = rotation(['a', 'b'], { mode: 'manual', manualUserId });
    return recipientsOf('stage1', manual, ADMINS, MONDAY, onDuty(manual, MONDAY));
  };
  assert.deepEqual(by('a'), one('b'));
  assert.deepEqual(by('b'), one('a'));
  assert.deepEqual(by('z'), one('a'));
  assert.deepEqual(by(null), one('a'));
});

test('stage 2 goes to everyone on the roster and the administrators, once each', () => {
  assert.deepEqual(recipientsOf('stage2', rotation(['a', null, 'admin', 'c']), ADMINS, MONDAY), {
    userIds: ['a', 'admin', 'c', 'owner'],
    fallback: false,
  });
});

test('all steps are timed from the start', () => {
  assert.deepEqual(
    minutesUntil({ channel_step_minutes: 3, escalation_stage1_minutes: 10, escalation_stage2_minutes: 20 }),
    { start: 0, mail: 3, stage1: 10, stage2: 20 },
  );
});

const PACE = {
  channel_step_minutes: 3,
  escalation_stage1_minutes: 10,
  escalation_stage2_minutes: 20,
  reminder_minutes: 60,
};
const inShort = (chain: readonly PlannedStep[]) =>
  chain.map(({ step, afterMinutes, reaches }) => [
    `${step} ${afterMinutes}`,
    ...reaches.map(({ userId, by }) => [userId, ...by].join(' ')),
  ]);
const ALL = 'loud_alarm push mail';

test('the plan reaches each person once per channel, and everyone of the last stage again by the reminder', () => {
  assert.deepEqual(inShort(planChain(rotation(['a', 'b']), ADMINS, PACE, MONDAY)), [
    ['start 0', 'a loud_alarm push'],
    ['mail 3', 'a mail'],
    ['stage1 10', `b ${ALL}`],
    ['stage2 20', 'a', 'b', `owner ${ALL}`, `admin ${ALL}`],
    ['reminder 80', `a ${ALL}`, `b ${ALL}`, `owner ${ALL}`, `admin ${ALL}`],
  ]);
});

test('if nobody is on call nothing waits: the administrators are mailed at the start', () => {
  assert.deepEqual(inShort(planChain(rotation([]), ['owner'], { ...PACE, reminder_minutes: 0 }, MONDAY)), [
    ['start 0', `owner ${ALL}`],
    ['mail 3', 'owner'],
    ['stage1 10', 'owner'],
    ['stage2 20', 'owner'],
  ]);
});

test('the reminder counts from stage 2, even if the mail step comes after it', () => {
  const delays = { ...PACE, channel_step_minutes: 120, reminder_minutes: 30 };
  const steps = planChain(rotation(['a', 'b']), ['owner'], delays, MONDAY);
  assert.deepEqual(
    steps.map(({ step, afterMinutes }) => [step, afterMinutes]),
    [
      ['start', 0],
      ['stage1', 10],
      ['stage2', 20],
      ['reminder', 50],
      ['mail', 120],
    ],
  );
});

test('without on-call the plan is the start and the reminder, both to the administrators', () => {
  assert.deepEqual(inShort(planChain(rotation(['a'], { active: false }), ['owner'], PACE, MONDAY)), [
    ['start 0', `owner ${ALL}`],
    ['reminder 60', `owner ${ALL}`],
  ]);
});

test('a mail without delay is part of the start', () => {
  const chain = planChain(rotation(['a']), [], { ...PACE, channel_step_minutes: 0 }, MONDAY);
  assert.deepEqual(inShort(chain).slice(0, 2), [
    ['start 0', 'a loud_alarm push'],
    ['mail 0', 'a mail'],
  ]);
});
