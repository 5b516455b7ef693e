import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isSiegeOnly, shards } from './shard.ts';

const root = `${import.meta.dirname}/../..`;

test('every test file is in a shard, and every shard is run', () => {
  const run = globSync('*.test.ts', { cwd: import.meta.dirname })
    .map((file) => /runShard\('([\w-]+)'\)/.exec(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))?.[1])
    .filter((name) => name !== undefined);
  assert.deepEqual(run.sort(), [...shards().keys()].sort());
  const isElsewhere = (file: string) =>
    /(^|\/)(node_modules|dist)\/|^test\/shards\//.test(file) ||
    isSiegeOnly(file, readFileSync(`${root}/${file}`, 'utf8'));
  const files = globSync('**/*.test.ts', { cwd: root, exclude: ['node_modules', 'dist'] });
  assert.deepEqual([...shards().values()].flat().sort(), files.filter((file) => !isElsewhere(file)).sort());
});
