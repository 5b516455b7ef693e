import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncidentSummary } from '../../../../../src/incidents/contract.ts';
import { foldStorms, MOST_APART, ringsWithOthers } from './storms.ts';

const incident = (started_at_unix: number) =>
  ({ id: `inc_${started_at_unix}_${Math.random()}`, started_at_unix }) as unknown as IncidentSummary;
const burst = (count: number, at: number) => Array.from({ length: count }, () => incident(at));
const kinds = (incidents: IncidentSummary[]) => foldStorms(incidents).map((row) => row.is);

test('more than twenty within a minute are one line, between lines of their own', () => {
  const rows = kinds([incident(500), ...burst(30, 200), ...burst(5, 150), incident(10)]);
  assert.deepEqual(rows, ['incident', 'storm', 'incident']);
});

test('twenty are still told apart', () => {
  assert.equal(kinds(burst(MOST_APART, 100)).length, MOST_APART);
});

test('a storm is counted from its newest incident, and an earlier single one does not hide it', () => {
  assert.deepEqual(kinds([incident(300), incident(130), ...burst(25, 100)]), ['incident', 'storm']);
});

test('nothing is lost', () => {
  const all = [...burst(30, 300), incident(200), ...burst(50, 100)];
  const kept = foldStorms(all).flatMap((row) => (row.is === 'storm' ? row.incidents : [row.incident]));
  assert.deepEqual(kept, all);
});

test('after the twentieth of a minute incidents ring together, the first twenty alone', () => {
  const open = Array.from({ length: 22 }, (_, n) => ({
    ...incident(100),
    id: `inc_${String(n).padStart(2, '0')}`,
  }));
  const ringing = open.filter((each) => ringsWithOthers(open, each)).map(({ id }) => id);
  assert.deepEqual(ringing, ['inc_20', 'inc_21']);
  assert.ok(!ringsWithOthers(open, { id: 'inc_99', started_at_unix: 200 }), 'a minute later');
});
