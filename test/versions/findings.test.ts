// What `npm run versions` finds wrong, fact by fact.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Facts, findings } from './findings.ts';

const GOOD: Facts = {
  acknowledged: new Set(['mon_1 10', 'mon_2 10']),
  stored: new Set(['mon_1 10', 'mon_2 10', 'mon_2 11']),
  incidents: [{ id: 'inc_1', monitorId: 'mon_1', status: 'closed' }],
  outages: new Map([['mon_1', 1]]),
  deliveries: [
    { incidentId: 'inc_1', event: 'opened', genuine: true },
    { incidentId: 'inc_1', event: 'opened', genuine: true },
    { incidentId: 'inc_1', event: 'resolved', genuine: true },
  ],
  streamed: new Set(['inc_1']),
  resets: 0,
  failed: [],
  unready: [],
};

test('a correct run has no findings: results stored without an answer and double deliveries are allowed', () => {
  assert.deepEqual(findings(GOOD), []);
});

test('each fault has its sentence', () => {
  const cases: [facts: Partial<Facts>, sentence: RegExp][] = [
    [{ stored: new Set(['mon_1 10']) }, /^1 results were acknowledged and are not stored: mon_2 10$/],
    [{ outages: new Map() }, /^1 monitors .*: mon_1: 1 incidents, 0 outages$/],
    [
      {
        outages: new Map([
          ['mon_1', 1],
          ['mon_2', 2],
        ]),
      },
      /mon_2: 0 incidents, 2 outages$/,
    ],
    [
      { incidents: [{ ...GOOD.incidents[0]!, status: 'open' }] },
      /^1 incidents are still open: inc_1 is open$/,
    ],
    [{ deliveries: GOOD.deliveries.slice(0, 2) }, /^1 webhooks never arrived: resolved of inc_1$/],
    [
      { deliveries: GOOD.deliveries.map((each) => ({ ...each, genuine: false })) },
      /^3 webhooks were not signed/,
    ],
    [{ streamed: new Set() }, /^1 incidents were not on the live stream: inc_1$/],
    [{ resets: 2 }, /^2 times the live stream/],
    [{ failed: [{ backend: 'new', what: 'GET /', status: 500 }] }, /^1 requests failed: GET \/ by new: 500$/],
    [{ unready: Array.from({ length: 7 }, (_, i) => `old answered 503 (${i})`) }, /^7 times .*, and 2 more$/],
  ];
  for (const [facts, sentence] of cases) {
    const found = findings({ ...GOOD, ...facts });
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0]!, sentence);
  }
});
