// By default a probe asks public resolvers while a check fails. No test and no benchmark may send them anything.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const FILES = ['src/**/*.test.ts', 'probe/**/*.test.ts', 'test/**/*.ts', 'bench/**/*.ts'];
/** The entry of the program, as the files name it that start it. */
const STARTS = /['/]main\.ts'/;
const SPAWNS = /\b(spawn|execFile|fork)\(|\bnet\.run\(/;

test('every test that starts the program configures its canaries', () => {
  const silent = globSync(FILES, { cwd: ROOT }).filter((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return STARTS.test(text) && SPAWNS.test(text) && !/\bCANARIES: 'none'/.test(text);
  });
  assert.deepEqual(silent, []);
});
