import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTiles } from '#src/domain/tiles.ts';
import type { MonitorEvent } from '#src/events/contract.ts';
import type { Overview, Tile } from '#src/overview/contract.ts';
import { withMonitorEvents } from './tile-news.ts';

const tile = (id: string, state: Tile['state'], in_maintenance = false): Tile => ({
  ...{ id, name: id, state, in_maintenance },
  since_unix: null,
});

function overviewOf(...monitors: Tile[]): Overview {
  const nothing = {
    open: null,
    recent: null,
    holds: null,
    on_call: null,
    maintenance: null,
    unnotified: null,
  };
  return { at_unix: 0, monitors, counts: countTiles(monitors), ...nothing, uptime: null };
}

const event = (monitor_id: string, fields: Partial<MonitorEvent>): MonitorEvent => ({
  ...{ monitor_id, project_id: 'p', change: 'status', last_status: 'passed' },
  ...fields,
});

const states = (overview: Overview | null) =>
  overview?.monitors?.map(({ id, state }) => `${id} ${state}`).join(', ') ?? 'again';

test('events change their tiles and the counts, or are reported as insufficient', () => {
  const before = () =>
    overviewOf(tile('a', 'passed'), tile('b', 'failed'), tile('c', 'no_data'), tile('d', 'passed', true));
  const silent = { change: 'data' as const, no_data_since_unix: 7, last_status: 'passed' };
  const table: [string, MonitorEvent[], string][] = [
    ['a fails', [event('a', { last_status: 'failed' })], 'a failed, b failed, c no_data, d passed'],
    [
      'a fails and recovers',
      [event('a', { last_status: 'failed' }), event('a', {})],
      'a passed, b failed, c no_data, d passed',
    ],
    [
      'in maintenance it is planned',
      [event('d', { last_status: 'failed' })],
      'a passed, b failed, c no_data, d maintenance',
    ],
    ['it falls silent', [event('a', silent)], 'a no_data, b failed, c no_data, d passed'],
    [
      'it cannot be checked',
      [event('a', { ...silent, cannot_check: 'no_ipv6' })],
      'a cannot_check, b failed, c no_data, d passed',
    ],
    [
      'it reports again',
      [event('c', { ...silent, no_data_since_unix: null })],
      'a passed, b failed, c passed, d passed',
    ],
    ['it is deleted', [event('b', { change: 'deleted' })], 'a passed, c no_data, d passed'],
    ['a status of a silent one', [event('c', {})], 'again'],
    ['a new one', [event('e', { change: 'created' })], 'again'],
    ['a changed one', [event('a', { change: 'updated' })], 'again'],
    ['of somebody else', [event('x', {})], 'a passed, b failed, c no_data, d passed'],
  ];
  for (const [what, events, after] of table) {
    const overview = withMonitorEvents(before(), events);
    assert.equal(states(overview), after, what);
    if (overview !== null) assert.deepEqual(overview.counts, countTiles(overview.monitors ?? []), what);
  }
});

test('an event without a change leaves the overview the same object', () => {
  const before = overviewOf(tile('a', 'passed'));
  assert.equal(withMonitorEvents(before, [event('a', {})]), before);
});
