import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { test } from 'node:test';
import { ALONE, isSiegeOnly, shards } from './shard.ts';

const root = `${import.meta.dirname}/../..`;

test('every test file is in a shard, and every shard is run', () => {
  const run = globSync('*.test.ts', { cwd: import.meta.dirname })
    .map((file) => /runShard\('([\w-]+)'\)/.exec(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))?.[1])
    .filter((name) => name !== undefined);
  assert.deepEqual(run.sort(), [...shards().keys()].sort());
  const isElsewhere = (file: string) =>
    /(^|\/)(node_modules|dist)\/|^test\/shards\//.test(file) ||
    ALONE.some((pattern) => matchesGlob(file, pattern)) ||
    isSiegeOnly(file, readFileSync(`${root}/${file}`, 'utf8'));
  const files = globSync('**/*.test.ts', { cwd: root, exclude: ['node_modules', 'dist'] });
  assert.deepEqual([...shards().values()].flat().sort(), files.filter((file) => !isElsewhere(file)).sort());
});

test('`npm test` also runs the files that must not be in a shard', () => {
  const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
    scripts: { test: string };
  };
  const named = scripts.test.split(' ').map((word) => word.replaceAll('"', ''));
  const filesOf = (patterns: readonly string[]) =>
    globSync([...patterns], { cwd: root })
      .filter((path) => path.endsWith('.test.ts'))
      .sort();
  const alone = filesOf(ALONE);
  assert.ok(alone.length > 1);
  assert.deepEqual(
    filesOf(named.filter((word) => word.endsWith('.test.ts') && !word.startsWith('test/shards/'))),
    alone,
  );
});
