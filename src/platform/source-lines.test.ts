import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sourceStack } from './source-lines.ts';

test('a stack trace of built files names the sources and their lines, and keeps lines it cannot map', async () => {
  const root = await mkdtemp(join(tmpdir(), 'tocsin-lines-'));
  try {
    const built = join(root, 'dist/program');
    await mkdir(built, { recursive: true });
    // The second line: its columns from the fourth on are line 34 of the source, from the ninth on line 36.
    const map = { version: 3, sources: ['src/app.ts'], names: [], mappings: ';GAiCA,KAEA' };
    await writeFile(join(built, 'app-X1.js.map'), JSON.stringify(map));
    const known = pathToFileURL(join(built, 'app-X1.js'));
    const other = pathToFileURL(join(built, 'other.js'));
    assert.equal(
      sourceStack(
        `Error: no\n    at start (${known}:2:7)\n    at ${known}:2:11\n    at ${known}:1:1\n    at ${other}:2:7`,
      ),
      `Error: no\n    at start (src/app.ts:34)\n    at src/app.ts:36\n    at ${known}:1:1\n    at ${other}:2:7`,
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
