import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { lanes } from './lane.ts';

test('every test file is in a lane, and every lane is run', () => {
  const run = globSync('*.test.ts', { cwd: import.meta.dirname })
    .map((file) => /runLane\('([\w-]+)'\)/.exec(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))?.[1])
    .filter((name) => name !== undefined);
  assert.deepEqual(run.sort(), [...lanes().keys()].sort());
});
