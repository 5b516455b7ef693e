// node:test follows no promises here (without-promise-hooks.ts), and a shard loads its files by itself: neither may hide an error.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const HOOKS = join(import.meta.dirname, 'without-promise-hooks.ts');
const { NODE_TEST_CONTEXT: _ours, ...env } = process.env;

/** The exit code of a run of one file with these lines behind its imports. */
function exitOf(...lines: string[]): number | null {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-errors-'));
  try {
    const file = join(dir, 'some.test.mjs');
    const imports = [
      "import { createRequire } from 'node:module';",
      "import { describe, test } from 'node:test';",
    ];
    writeFileSync(join(dir, 'waits.mjs'), 'await null;');
    writeFileSync(file, [...imports, ...lines].join('\n'));
    return spawnSync(process.execPath, ['--import', HOOKS, '--test', file], { env }).status;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const inTest = (body: string) =>
  `describe('a file', () => { test('a test', async () => { ${body}; await new Promise((r) => setTimeout(r, 50)); }); });`;

test('a file without an error passes', () => assert.equal(exitOf(inTest('')), 0));

for (const [what, line] of [
  ['a failed assertion', inTest("throw new Error('failed')")],
  ['an error that a timer throws', inTest("setTimeout(() => { throw new Error('late') }, 1)")],
  ['a rejection that nobody handles', inTest("Promise.reject(new Error('unheard'))")],
  [
    'a file that waits at its top level, and so is not loaded',
    "describe('a file', () => { createRequire(import.meta.url)('./waits.mjs'); });",
  ],
] as const)
  test(`${what} fails the run`, () => assert.equal(exitOf(line), 1));
