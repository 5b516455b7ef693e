import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SECTIONS } from '../pages/accounts/account/sections.ts';

const sourceOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const namesIn = (source: string, pattern: RegExp) => [...source.matchAll(pattern)].map(([, name]) => name);

test('every control that the palette leads to is on a page, and every marked one is led to', () => {
  const ledTo = ['./actions.ts', './steps.ts'].flatMap((path) =>
    namesIn(sourceOf(path), /lead: '([\w-]+)'/g),
  );
  const cwd = new URL('..', import.meta.url);
  const pages = globSync('{pages,shell}/**/*.tsx', { cwd }).map((path) => sourceOf(`../${path}`));
  // Sections of the account are marked by their name.
  const marked = pages.flatMap((source) => namesIn(source, /\b(?:data-)?lead(?:'?: '|=")([\w-]+)/g));
  assert.deepEqual(
    ledTo.filter((name) => ![...marked, ...SECTIONS].includes(name ?? '')),
    [],
  );
  assert.deepEqual(
    marked.filter((name) => !ledTo.includes(name)),
    [],
  );
});
