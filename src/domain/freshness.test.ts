import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Freshness } from './freshness.ts';

type Step =
  | ['primary', askedAtMs: number, lsn: number, timeline?: string]
  | ['replayed', lsn: number]
  | ['other replica'];

const CASES: { name: string; steps: Step[]; asOfMs: number | null }[] = [
  { name: 'nothing is known before the replica has answered', steps: [['primary', 0, 100]], asOfMs: null },
  {
    name: 'a replica that has replayed what the primary had shows the moment of the question',
    steps: [
      ['primary', 0, 100],
      ['replayed', 100],
    ],
    asOfMs: 0,
  },
  {
    name: 'one that is behind shows the newest moment that it has replayed all of',
    steps: [
      ['primary', 0, 100],
      ['primary', 500, 200],
      ['primary', 1_000, 300],
      ['replayed', 299],
    ],
    asOfMs: 500,
  },
  {
    name: 'one that lacks even the oldest of them shows nothing that is known',
    steps: [
      ['primary', 0, 100],
      ['replayed', 99],
    ],
    asOfMs: null,
  },
  {
    name: 'one that stands still stays where it was',
    steps: [
      ['primary', 0, 100],
      ['replayed', 100],
      ['primary', 500, 200],
      ['replayed', 100],
      ['primary', 1_000, 300],
      ['replayed', 100],
    ],
    asOfMs: 0,
  },
  {
    name: 'an idle primary does not leave its replica behind',
    steps: [
      ['primary', 0, 100],
      ['replayed', 100],
      ['primary', 60_000, 100],
      ['replayed', 100],
    ],
    asOfMs: 60_000,
  },
  {
    name: 'after a failover, what a replica had replayed before proves nothing',
    steps: [
      ['primary', 0, 100],
      ['replayed', 150],
      ['primary', 1_000, 120, '2'],
      ['replayed', 150],
    ],
    asOfMs: null,
  },
  {
    name: 'after a failover, one that follows the new primary counts',
    steps: [
      ['primary', 0, 100],
      ['replayed', 150],
      ['primary', 1_000, 120, '2'],
      ['primary', 2_000, 180, '2'],
      ['replayed', 180],
    ],
    asOfMs: 2_000,
  },
  {
    name: 'what one replica had replayed says nothing of another one',
    steps: [['primary', 0, 100], ['replayed', 100], ['other replica']],
    asOfMs: null,
  },
];

for (const { name, steps, asOfMs } of CASES)
  test(name, () => {
    const freshness = new Freshness();
    for (const [what, ...given] of steps) {
      const [first = 0, lsn = 0, timeline = '1'] = given as [number?, number?, string?];
      if (what === 'primary') freshness.primaryWas({ askedAtMs: first, lsn, timeline });
      else if (what === 'replayed') freshness.replayed(first);
      else freshness.forgetReplica();
    }
    assert.equal(freshness.asOfMs(), asOfMs);
  });

test('for a replica that lags beyond any use, only the last minutes are kept', () => {
  const freshness = new Freshness();
  for (let i = 0; i < 1_000; i++) freshness.primaryWas({ askedAtMs: i, lsn: i, timeline: '1' });
  freshness.replayed(399);
  assert.equal(freshness.asOfMs(), null);
  freshness.replayed(400);
  assert.equal(freshness.asOfMs(), 400);
});
