import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RegionStatus } from '#src/checks/contract.ts';
import { conditionOf } from './region-condition.ts';

const passing = {
  region: 'local',
  name: 'Local',
  online: true,
  reporting: true,
  condition: 'recovered',
  failures_in_a_row: 0,
  recovering: null,
  last_check: {},
} as unknown as RegionStatus;

const said = (given: Partial<RegionStatus>) => {
  const { state, word, count, passes } = conditionOf({ ...passing, ...given });
  return `${state} ${word} ${passes === undefined ? '' : `${passes} of `}${count}`;
};

test('an offline region has no say, whatever its last result', () => {
  assert.equal(said({ online: false, condition: 'failing', failures_in_a_row: 3 }), 'paused offline 3');
});

test('a failing region stays failing while it is silent', () => {
  assert.equal(said({ condition: 'failing', failures_in_a_row: 3, reporting: false }), 'failed failing 3');
});

test('a failing region that passes again is recovering, not failing 0 times', () => {
  const recovering = { passes: 1, required: 2 };
  assert.equal(said({ condition: 'failing', recovering }), 'degraded recovering 1 of 2');
  assert.equal(said({ condition: 'failing', recovering, online: false }), 'paused offline 0');
});

test('one failed check is not failing yet', () => {
  assert.equal(said({ failures_in_a_row: 1 }), 'degraded doubtful 1');
});

test('before the first result, and long after the last one, a region has no condition', () => {
  assert.equal(said({ condition: 'unknown', last_check: null, reporting: false }), 'pending none 0');
  assert.equal(said({ reporting: false }), 'no_data silent 0');
  assert.equal(said({}), 'passed passing 0');
});

test('a skipped check is neither passing nor silent; a region that failed before stays failing', () => {
  const last_check = { failure_class: 'probe_frozen', cause_layer: 'probe' } as RegionStatus['last_check'];
  assert.equal(said({ last_check, reporting: false }), 'degraded setAside 0');
  assert.equal(said({ last_check, condition: 'failing', failures_in_a_row: 2 }), 'failed failing 2');
});

test('a region whose probe could not make or judge the last check has no data, whatever it knew before', () => {
  const after = (failure_class: string) =>
    said({ last_check: { failure_class, cause_layer: 'probe' } as RegionStatus['last_check'] });
  assert.equal(after('probe_busy'), 'no_data notKnown 0');
  assert.equal(after('probe_network'), 'no_data notKnown 0');
  assert.equal(after('check_too_costly'), 'degraded leftOut 0');
  assert.equal(after('ping_unavailable'), 'cannot_check cannotCheck 0');
  const failed = { failure_class: 'http_status', cause_layer: 'target_http' } as RegionStatus['last_check'];
  assert.equal(said({ last_check: failed, failures_in_a_row: 1 }), 'degraded doubtful 1');
});
