import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { shards } from './shard.ts';

test('every test file is in a shard, and every shard is run', () => {
  const run = globSync('*.test.ts', { cwd: import.meta.dirname })
    .map((file) => /runShard\('([\w-]+)'\)/.exec(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))?.[1])
    .filter((name) => name !== undefined);
  assert.deepEqual(run.sort(), [...shards().keys()].sort());
});
