// Readers set the size of their letters in the browser: the dashboard's are a share of it, and so is the width it is laid out for.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { theme } from './theme.ts';

const SOURCE = join(import.meta.dirname, '..');
const SHEETS = globSync('**/*.css', { cwd: SOURCE });

const linesOf = (wanted: RegExp) =>
  SHEETS.flatMap((sheet) =>
    readFileSync(join(SOURCE, sheet), 'utf8')
      .split('\n')
      .filter((line) => wanted.test(line))
      .map((line) => `${sheet}: ${line.trim()}`),
  );

/** `max(24px, …)` is a lower bound, and remains one. */
const FIXED = /^(?:\d[\d.]*px|clamp\(\d[\d.]*px)/;

test('letters and their lines are a share of the size that the reader has set in the browser', () => {
  const set = linesOf(/^\s*(?:font-size|line-height|--text-\w+):/);
  assert.ok(set.length > 300, `${set.length} sizes of letters`);
  const fixed = set.filter((line) => FIXED.test(line.slice(line.lastIndexOf(': ') + 2)));
  assert.deepEqual(fixed, []);
  for (const size of Object.values(theme.fontSizes ?? {})) assert.match(size ?? '', /rem$/);
});

test('a window counts as narrow by the number of letters that fit into it', () => {
  const widths = linesOf(/@media.*width/);
  assert.ok(widths.length > 100, `${widths.length} widths`);
  assert.deepEqual(
    widths.filter((line) => !/width: [\d.]+em\)/.test(line)),
    [],
  );
});
