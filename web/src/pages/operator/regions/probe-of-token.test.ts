import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { probeOfToken } from './probe-of-token.ts';

const probe = (probe_id: string, online = true) => ({
  probe_id,
  online,
  admission: 'admitted' as const,
  stalled: false,
  set_aside_at_unix: null,
  busy_at_unix: null,
  first_seen_at_unix: 5,
  last_seen_at_unix: 5,
  monitors: online ? 1 : null,
});
const region = (used: number | null, ...probes: ReturnType<typeof probe>[]): AdministeredRegion => ({
  slug: 'lisbon',
  name: 'Lisbon',
  online: true,
  internal: false,
  allow_private_targets: false,
  keep_private_responses: false,
  private_responses_by: 'default',
  private_targets_by: 'operator',
  canaries: [],
  monitor_count: 1,
  probes,
  probe_tokens: [
    { id: 'new', created_at_unix: 4, last_used_at_unix: used, hint: 'abcd', max_probes: 3, bundled: false },
  ],
});

test('a probe with another token is not the awaited one', () => {
  assert.equal(probeOfToken(region(null, probe('stranger')), 'new', []), null);
});

test('the probe that connects with the new token is named', () => {
  assert.deepEqual(probeOfToken(region(5, probe('old'), probe('fresh')), 'new', ['old']), {
    probeId: 'fresh',
  });
});

test('a probe that was online before and now has the new token arrives without a name', () => {
  assert.deepEqual(probeOfToken(region(5, probe('old'), probe('gone', false)), 'new', ['old']), {
    probeId: null,
  });
});
