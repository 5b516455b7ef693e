import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TFunction } from 'i18next';
import type { PolicyReplay, ReplayedOutage } from '#src/policy-replay/contract.ts';
import type { Formats } from '#web/format.ts';
import { countSentence, timeSentences } from './replay-words.ts';

const t = ((key: string, values: object = {}) => `${key} ${JSON.stringify(values)}`) as unknown as TFunction;
const formats = {
  integer: String,
  day: (unix: number) => `day ${Math.floor(unix / 86_400)}`,
  minute: (unix: number) => `minute ${unix / 60}`,
  durationInWords: (seconds: number) => `${seconds} s`,
} as unknown as Formats;

const NOW = 40 * 86_400;
const none = { unchanged: 0, later: 0, earlier: 0, only_now: 0, only_draft: 0 };
const side = (alarm_count: number) => ({ alarm_count, open_seconds: 0 });
const replayed = (changes: Partial<PolicyReplay>): PolicyReplay => ({
  from_unix: NOW - 30 * 86_400,
  until_unix: NOW,
  complete: true,
  check_count: 100,
  now: side(0),
  draft: side(0),
  differences: none,
  outages: [],
  caveats: [],
  ...changes,
});
const outage = (day: number, later_seconds: number): ReplayedOutage => ({
  now: {
    started_at_unix: day * 86_400,
    opened_at_unix: day * 86_400,
    ended_at_unix: day * 86_400 + 60,
    reason: 'quorum_reached',
    down_regions: [],
  },
  draft: null,
  later_seconds,
  cause: null,
  incident_id: null,
});

test('fewer alarms are counted beside the actual number', () => {
  const replay = replayed({
    now: side(9),
    draft: side(2),
    differences: { ...none, unchanged: 2, only_now: 7 },
  });
  assert.equal(
    countSentence(t, formats, replay, true),
    'replay.instead {"count":2,"before":"9","period":"replay.lastDays {}"}',
  );
});

test('equally many alarms of other outages are not the same', () => {
  const replay = replayed({
    now: side(1),
    draft: side(1),
    differences: { ...none, only_now: 1, only_draft: 1 },
  });
  assert.match(countSentence(t, formats, replay, true), /^replay\.instead /);
});

test('the same alarms at the same seconds are the same', () => {
  const replay = replayed({ now: side(3), draft: side(3), differences: { ...none, unchanged: 3 } });
  assert.match(countSentence(t, formats, replay, true), /^replay\.same /);
  assert.match(countSentence(t, formats, replay, false), /^replay\.inForce /);
});

test('a replay of fewer days states its start', () => {
  const replay = replayed({ from_unix: NOW - 5 * 86_400 });
  assert.match(countSentence(t, formats, replay, false), /replay\.since.*day 35/);
});

test('a single outage that comes later is named by its day', () => {
  const replay = replayed({ differences: { ...none, later: 1 }, outages: [outage(12, 40)] });
  assert.deepEqual(timeSentences(t, formats, replay), [
    'replay.later {"count":1,"moment":"minute 17280","duration":"40 s"}',
  ]);
});

test('of several the longest delay is named, and earlier ones separately', () => {
  const replay = replayed({
    differences: { ...none, later: 2, earlier: 1 },
    outages: [outage(12, 40), outage(13, 90), outage(14, -15)],
  });
  assert.deepEqual(timeSentences(t, formats, replay), [
    'replay.later {"count":2,"moment":"minute 17280","duration":"90 s"}',
    'replay.earlier {"count":1,"moment":"minute 20160","duration":"15 s"}',
  ]);
});

test('a sentence that ends in a shortened month has one dot', () => {
  const german = ((_key: string, { period }: { period?: string } = {}) =>
    period === undefined ? 'seit 19. Nov.' : `Ein Alarm ${period}.`) as unknown as TFunction;
  assert.equal(
    countSentence(german, formats, replayed({ from_unix: NOW - 86_400 }), false),
    'Ein Alarm seit 19. Nov.',
  );
});
