import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evidence, IncidentDetail } from '#src/incidents/contract.ts';
import { evidenceSteps } from './steps.ts';

const check = (region: string, at: number, status = 'down') => ({
  check_id: `${region}${at}`,
  checked_at_unix: at,
  region,
  status,
  cause_layer: null,
  detail: 'no answer',
  latency_ms: null,
  response_code: null,
});

const evidence = {
  first_failure_at_unix: 90,
  confirmed_outage_since_unix: 130,
  triggered_at_unix: 130,
  reason: 'quorum_reached',
  checks: [check('nyc', 130), check('fra', 100), check('fra', 120), check('sgp', 101, 'up')],
} as unknown as Evidence;
const incident = { resolved_at_unix: 200, auto_resolved: true } as unknown as IncidentDetail;

test('each failing region appears once, the first one from the very first failure', () => {
  const beats = evidenceSteps(evidence, incident);
  assert.deepEqual(
    beats.map((beat) => [beat.kind, beat.atUnix]),
    [
      ['first', 90],
      ['also', 130],
      ['confirmed', 130],
      ['opened', 130],
      ['resolved', 200],
    ],
  );
});

test('an open incident has no end', () => {
  const beats = evidenceSteps(evidence, { ...incident, resolved_at_unix: null });
  assert.equal(beats.at(-1)?.kind, 'opened');
});
