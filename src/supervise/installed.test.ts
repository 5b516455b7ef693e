import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, oldPrograms } from './installed.ts';

const WANTED = { node: '26.10.1', postgres: '18.5.0-beta.17' };

test('what runs as it was installed is not spoken of', async () => {
  assert.deepEqual(differences(WANTED, WANTED), []);
  assert.deepEqual(await oldPrograms(true), [], 'these tests run on what npm ci installed');
});

test('new sources over old packages are told what to do, for Node and PostgreSQL', () => {
  const [node = '', postgres = ''] = differences({ node: '26.10.0', postgres: '18.4.0-beta.17' }, WANTED);
  assert.match(node, /^Node 26\.10\.0 runs, .* brings 26\.10\.1: .*npm ci/);
  assert.match(postgres, /^PostgreSQL 18\.4\.0-beta\.17 is installed, .* brings 18\.5\.0-beta\.17: .*npm ci/);
});

test('who brings a PostgreSQL of their own is told nothing of ours', () => {
  assert.deepEqual(differences({ ...WANTED, postgres: null }, WANTED), []);
});
