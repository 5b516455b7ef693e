import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import { collapseStorms, othersRinging } from './storms.ts';

const incident = (id: string, group_id: string | null, changed: Partial<IncidentSummary> = {}) =>
  ({
    id,
    group_id,
    group_name: null,
    started_at_unix: 100,
    lifecycle_state: 'triggered',
    ...changed,
  }) as IncidentSummary;
const collapsed = (incidents: IncidentSummary[]) =>
  collapseStorms(incidents).map((row) =>
    row.is === 'incident' ? row.incident.id : row.incidents.map(({ id }) => id),
  );

test('the incidents of a group are one row at its newest, even with others in between', () => {
  const list = [
    incident('a', null),
    incident('b', '7'),
    incident('c', null),
    incident('d', '7'),
    incident('e', '8'),
    incident('f', '7'),
    incident('g', '8'),
  ];
  assert.deepEqual(collapsed(list), ['a', ['b', 'd', 'f'], 'c', ['e', 'g']]);
});

test('simultaneous incidents without a group stay separate, and so does the only one of a group', () => {
  const list = [
    ...Array.from({ length: 30 }, (_, n) => incident(`single ${n}`, null)),
    incident('alone', '7'),
  ];
  assert.deepEqual(
    collapsed(list),
    list.map(({ id }) => id),
  );
});

test('a storm has the name of its incidents', () => {
  const named = { group_name: 'db.example.com, connection refused' };
  const [storm] = collapseStorms([incident('a', '7', named), incident('b', '7', named)]);
  assert.ok(storm?.is === 'storm' && storm.name === named.group_name);
});

test('a storm starts with its earliest incident', () => {
  const [storm] = collapseStorms([
    incident('a', '7', { started_at_unix: 30 }),
    incident('b', '7', { started_at_unix: 10 }),
  ]);
  assert.ok(storm?.is === 'storm' && storm.fromUnix === 10);
});

test('an incident rings together with the open, unacknowledged ones of its group', () => {
  const open = [
    incident('a', '7'),
    incident('b', '7'),
    incident('c', '7', { lifecycle_state: 'acknowledged' }),
    incident('d', '8'),
    incident('e', null),
    incident('f', null),
  ];
  const ringing = open.map((each) => othersRinging(open, each));
  assert.deepEqual(ringing, [1, 1, 2, 0, 0, 0]);
});
