import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { isBusy, probeState, regionState, skipsBlockingCheck } from './region-state.ts';

const probe = {
  probe_id: 'p',
  online: false,
  admission: 'admitted' as const,
  stalled: false,
  set_aside_at_unix: null,
  busy_at_unix: null,
  first_seen_at_unix: 0,
  last_seen_at_unix: 0,
  monitors: null,
};
const empty: AdministeredRegion = {
  slug: 'lisbon',
  name: 'Lisbon',
  online: false,
  internal: false,
  allow_private_targets: false,
  keep_private_responses: false,
  private_responses_by: 'default',
  private_targets_by: 'operator',
  canaries: [],
  monitor_count: 0,
  probes: [],
  probe_tokens: [],
};

test('a region without a probe waits for its first, and is an alarm only if monitors use it', () => {
  assert.deepEqual(regionState(empty, 0), { state: 'pending', word: 'noProbe' });
  assert.deepEqual(regionState({ ...empty, monitor_count: 1 }, 0), { state: 'failed', word: 'noProbe' });
  assert.deepEqual(regionState({ ...empty, probes: [probe] }, 0), { state: 'pending', word: 'offline' });
  assert.deepEqual(regionState({ ...empty, probes: [probe], monitor_count: 1 }, 0), {
    state: 'failed',
    word: 'offline',
  });
  assert.deepEqual(regionState({ ...empty, probes: [probe], monitor_count: 1, online: true }, 0), {
    state: 'passed',
    word: 'online',
  });
});

test('a region whose probes deliver nothing, or wait for admission, says so', () => {
  const region = (fields: object) => ({ ...empty, monitor_count: 1, probes: [{ ...probe, ...fields }] });
  const word = (fields: object) => regionState(region(fields), 0).word;
  assert.equal(word({ online: true, stalled: true }), 'noResults');
  assert.equal(word({ online: true, admission: 'waiting' }), 'waiting');
  assert.equal(word({ online: false, stalled: true }), 'offline');
});

test('a probe shows first its admission, then whether it is online, then whether it delivers', () => {
  const word = (fields: object) => probeState({ ...probe, online: true, ...fields }, 0).word;
  assert.equal(word({}), 'online');
  assert.equal(word({ online: false }), 'offline');
  assert.equal(word({ stalled: true }), 'noResults');
  assert.equal(word({ admission: 'waiting', online: false }), 'waiting');
  assert.equal(word({ admission: 'refused' }), 'refused');
});

test('a probe skips a check for as long as it reports so', () => {
  assert.equal(skipsBlockingCheck(probe, 10_000), false);
  assert.equal(skipsBlockingCheck({ ...probe, set_aside_at_unix: 9_000 }, 10_000), true);
  assert.equal(skipsBlockingCheck({ ...probe, set_aside_at_unix: 6_000 }, 10_000), false);
});

test('a probe that was too busy for a check within five minutes says so, and its region too, while it is online', () => {
  const busy = { ...probe, online: true, busy_at_unix: 9_800 };
  const words = (now: number, of = busy) => [
    probeState(of, now).word,
    regionState({ ...empty, monitor_count: 1, online: of.online, probes: [of] }, now).word,
  ];
  assert.deepEqual(words(10_000), ['busy', 'busy']);
  assert.deepEqual(words(10_100), ['online', 'online']);
  assert.deepEqual(words(10_000, { ...busy, online: false }), ['offline', 'offline']);
  assert.equal(isBusy(probe, 0), false);
});
