import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, oldPrograms } from './installed.ts';

const WANTED = { node: '26.10.1', postgres: '18.5.0-beta.17' };

test('packages of the right versions cause no warning', async () => {
  assert.deepEqual(differences(WANTED, WANTED), []);
  assert.deepEqual(await oldPrograms(true), [], 'these tests run on what npm ci installed');
});

test('new sources with old packages give a warning with the remedy, for Node and PostgreSQL', () => {
  const [node = '', postgres = ''] = differences({ node: '26.10.0', postgres: '18.4.0-beta.17' }, WANTED);
  assert.match(node, /^Node 26\.10\.0 runs, .* brings 26\.10\.1: .*npm ci/);
  assert.match(postgres, /^PostgreSQL 18\.4\.0-beta\.17 is installed, .* brings 18\.5\.0-beta\.17: .*npm ci/);
});

test('with your own PostgreSQL there is no warning about the bundled one', () => {
  assert.deepEqual(differences({ ...WANTED, postgres: null }, WANTED), []);
});
