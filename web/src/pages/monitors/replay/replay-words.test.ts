import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import i18next, { type TFunction } from 'i18next';
import type { PolicyReplay, ReplayedOutage } from '#src/policy-replay/contract.ts';
import type { Formats } from '#web/format.ts';
import { de } from '#web/i18n/de/index.ts';
import { en } from '#web/i18n/en/index.ts';
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

const texts = i18next.createInstance();
before(() =>
  texts.init({
    resources: { en: { translation: en }, de: { translation: de } },
    interpolation: { escapeValue: false },
  }),
);

for (const [was, becomes, differences, english, german] of [
  [
    0,
    1,
    { only_draft: 1 },
    'One alarm P; none with the saved settings.',
    'Ein Alarm P; mit den gespeicherten Einstellungen keiner.',
  ],
  [
    0,
    3,
    { only_draft: 3 },
    '3 alarms P; none with the saved settings.',
    '3 Alarme P; mit den gespeicherten Einstellungen keiner.',
  ],
  [
    1,
    0,
    { only_now: 1 },
    'No alarm P; one with the saved settings.',
    'Kein Alarm P; mit den gespeicherten Einstellungen einer.',
  ],
  [1, 3, { unchanged: 1, only_draft: 2 }, '3 alarms instead of one P.', '3 Alarme statt eines einzigen P.'],
  [
    9,
    0,
    { only_now: 9 },
    'No alarm P; 9 with the saved settings.',
    'Kein Alarm P; mit den gespeicherten Einstellungen sind es 9.',
  ],
  [9, 1, { unchanged: 1, only_now: 8 }, 'One alarm instead of 9 P.', 'Ein Alarm statt 9 P.'],
  [9, 2, { unchanged: 2, only_now: 7 }, '2 alarms instead of 9 P.', '2 Alarme statt 9 P.'],
  [
    0,
    0,
    {},
    'No alarm P, as with the saved settings.',
    'Kein Alarm P, wie mit den gespeicherten Einstellungen.',
  ],
  [
    1,
    1,
    { unchanged: 1 },
    'The same single alarm P as with the saved settings.',
    'Derselbe Alarm P wie mit den gespeicherten Einstellungen.',
  ],
  [
    3,
    3,
    { unchanged: 3 },
    'The same 3 alarms P as with the saved settings.',
    'Dieselben 3 Alarme P wie mit den gespeicherten Einstellungen.',
  ],
  [
    1,
    1,
    { later: 1 },
    'One alarm P, as with the saved settings, but at another time.',
    'Ein Alarm P, wie mit den gespeicherten Einstellungen, aber zu einer anderen Zeit.',
  ],
  [
    3,
    3,
    { unchanged: 2, earlier: 1 },
    '3 alarms P, as with the saved settings, but not all at the same time.',
    '3 Alarme P, wie mit den gespeicherten Einstellungen, aber nicht alle zur selben Zeit.',
  ],
  [
    1,
    1,
    { only_now: 1, only_draft: 1 },
    'One alarm P, as with the saved settings, but not the same one.',
    'Ein Alarm P, wie mit den gespeicherten Einstellungen, aber nicht derselbe.',
  ],
  [
    3,
    3,
    { unchanged: 2, only_now: 1, only_draft: 1 },
    '3 alarms P, as many as with the saved settings, but not the same ones.',
    '3 Alarme P, so viele wie mit den gespeicherten Einstellungen, aber nicht dieselben.',
  ],
] as const)
  test(`${was} alarms that become ${becomes}: ${english}`, () => {
    const replay = replayed({
      now: side(was),
      draft: side(becomes),
      differences: { ...none, ...differences },
    });
    const said = (language: 'en' | 'de') => countSentence(texts.getFixedT(language), formats, replay, true);
    assert.equal(said('en'), english.replace('P', 'in the last 30 days'));
    assert.equal(said('de'), german.replace('P', 'in den letzten 30 Tagen'));
  });

test('the settings in force are compared with nothing', () => {
  const replay = replayed({ now: side(3), draft: side(3), differences: { ...none, unchanged: 3 } });
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
