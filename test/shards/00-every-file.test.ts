import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { strangersAmong } from './long.ts';
import { isSiegeOnly, shards } from './shard.ts';

const root = `${import.meta.dirname}/../..`;

/** The shards that the files of a folder run. */
const runIn = (folder: string): string[] =>
  globSync('*.test.ts', { cwd: `${import.meta.dirname}/${folder}` })
    .map(
      (file) =>
        /runShard\('([\w-]+)'\)/.exec(readFileSync(`${import.meta.dirname}/${folder}/${file}`, 'utf8'))?.[1],
    )
    .filter((name) => name !== undefined)
    .sort();

test('every test file is in a shard, and every shard is run: by npm test, or by npm run test:long', () => {
  const names = [...shards().keys()].sort();
  const isLong = (name: string) => name.startsWith('long-');
  assert.deepEqual(
    runIn('.'),
    names.filter((name) => !isLong(name)),
  );
  assert.deepEqual(runIn('long'), names.filter(isLong));
  const isElsewhere = (file: string) =>
    /(^|\/)(node_modules|dist)\/|^test\/shards\//.test(file) ||
    isSiegeOnly(file, readFileSync(`${root}/${file}`, 'utf8'));
  const files = globSync('**/*.test.ts', { cwd: root, exclude: ['node_modules', 'dist'] });
  const ours = files.filter((file) => !isElsewhere(file));
  assert.deepEqual([...shards().values()].flat().sort(), ours.sort());
  assert.deepEqual(strangersAmong(ours), [], 'what test:long runs exists');
});
