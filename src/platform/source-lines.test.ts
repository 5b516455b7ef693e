import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type SourceLines, sourceStack } from './source-lines.ts';

test('a stack trace of built files names the sources and their lines, and keeps lines it cannot map', async () => {
  const root = await mkdtemp(join(tmpdir(), 'tocsin-lines-'));
  try {
    const built = join(root, 'dist/program');
    await mkdir(built, { recursive: true });
    const lines: SourceLines = { files: ['src/app.ts'], lines: [null, [0, 34]] };
    await writeFile(join(built, 'app-X1.js.lines'), JSON.stringify(lines));
    const known = pathToFileURL(join(built, 'app-X1.js'));
    const other = pathToFileURL(join(built, 'other.js'));
    assert.equal(
      sourceStack(`Error: no\n    at start (${known}:2:7)\n    at ${known}:1:1\n    at ${other}:2:7`),
      `Error: no\n    at start (src/app.ts:34)\n    at ${known}:1:1\n    at ${other}:2:7`,
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
