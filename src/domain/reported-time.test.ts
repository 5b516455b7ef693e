import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { knownGroupTime, knownTime, type ReportingRule, type Run } from './reported-time.ts';
import type { Span } from './spans.ts';

const ENDLESS = Number.POSITIVE_INFINITY;
const always = (windowMs: number | null): ReportingRule[] => [
  { fromMs: 0, untilMs: ENDLESS, windowMs, enabled: true },
];
const run = (firstMs: number, lastMs = firstMs): Run => ({ firstMs, lastMs });
const spans = (known: readonly Span[]) =>
  known.map(({ fromMs, untilMs }) => `${fromMs}-${untilMs}`).join(' ');

const CASES: [what: string, rules: ReportingRule[], runs: Run[], known: string][] = [
  ['before the first result nothing is known', always(100), [], ''],
  ['a result speaks for its window', always(100), [run(500)], '500-600'],
  ['results in a row speak for the time between them', always(100), [run(500, 900)], '500-1000'],
  [
    'a silence longer than the window is unknown',
    always(100),
    [run(500, 900), run(1200)],
    '500-1000 1200-1300',
  ],
  ['a heartbeat speaks until its next', always(null), [run(500), run(9000)], '500-Infinity'],
  [
    'a disabled monitor is unknown at once, and known again with its next result',
    [
      { fromMs: 0, untilMs: 540, windowMs: 100, enabled: true },
      { fromMs: 540, untilMs: 2000, windowMs: 100, enabled: false },
      { fromMs: 2000, untilMs: ENDLESS, windowMs: 100, enabled: true },
    ],
    [run(500), run(2030)],
    '500-540 2030-2130',
  ],
  [
    'a heartbeat that is enabled again is known at once',
    [
      { fromMs: 0, untilMs: 540, windowMs: null, enabled: true },
      { fromMs: 540, untilMs: 2000, windowMs: null, enabled: false },
      { fromMs: 2000, untilMs: ENDLESS, windowMs: null, enabled: true },
    ],
    [run(500)],
    '500-540 2000-Infinity',
  ],
  [
    'a longer interval is waited for from the moment it is set',
    [
      { fromMs: 0, untilMs: 550, windowMs: 100, enabled: true },
      { fromMs: 550, untilMs: ENDLESS, windowMs: 1000, enabled: true },
    ],
    [run(500), run(1400)],
    '500-2400',
  ],
  [
    'a shorter one too',
    [
      { fromMs: 0, untilMs: 900, windowMs: 1000, enabled: true },
      { fromMs: 900, untilMs: ENDLESS, windowMs: 100, enabled: true },
    ],
    [run(500)],
    '500-900',
  ],
  [
    'what was checked is no word of the heartbeat that the monitor became',
    [
      { fromMs: 0, untilMs: 550, windowMs: 100, enabled: true },
      { fromMs: 550, untilMs: ENDLESS, windowMs: null, enabled: true },
    ],
    [run(500)],
    '500-550',
  ],
];

for (const [what, rules, runs, known] of CASES)
  test(what, () => assert.equal(spans(knownTime(rules, runs)), known));

test('a group is known while it is enabled and one of its members is known', () => {
  const rules: ReportingRule[] = [
    { fromMs: 0, untilMs: 400, windowMs: null, enabled: true },
    { fromMs: 400, untilMs: ENDLESS, windowMs: null, enabled: false },
  ];
  const members = [
    { fromMs: 100, untilMs: 200 },
    { fromMs: 150, untilMs: 300 },
    { fromMs: 350, untilMs: 500 },
  ];
  assert.equal(spans(knownGroupTime(rules, members)), '100-300 350-400');
});

test('at every instant the rule of that instant decides whether the last result is still valid', () => {
  const turn = fc.record({
    length: fc.integer({ min: 1, max: 40 }),
    windowMs: fc.option(fc.integer({ min: 1, max: 30 }), { nil: null, freq: 4 }),
    enabled: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(turn, { minLength: 1, maxLength: 5 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 150 })),
      (turns, ats) => {
        let at = 0;
        const rules = turns.map(({ length, ...rule }, i) => {
          const fromMs = at;
          at += length;
          return { fromMs, untilMs: i === turns.length - 1 ? ENDLESS : at, ...rule };
        });
        const ruleAt = (ms: number) => rules.find(({ fromMs, untilMs }) => fromMs <= ms && ms < untilMs)!;
        const sorted = ats.toSorted((a, b) => a - b);
        const known = knownTime(
          rules,
          // Every result a run of its own, so that nothing is known by how they were put together.
          sorted.map((ms) => run(ms)),
        );
        for (let ms = 0; ms < 220; ms++) {
          const { windowMs, enabled } = ruleAt(ms);
          const speaks = sorted.some(
            (result) =>
              result <= ms && (windowMs === null ? ruleAt(result).windowMs === null : ms - result < windowMs),
          );
          const isKnown = known.some(({ fromMs, untilMs }) => ms >= fromMs && ms < untilMs);
          assert.equal(isKnown, enabled && speaks, `at ${ms}`);
        }
      },
    ),
  );
});
