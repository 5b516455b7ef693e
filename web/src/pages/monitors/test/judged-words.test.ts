import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TFunction } from 'i18next';
import { judgedWords } from './judged-words.ts';

const TEXTS: Record<string, string> = {
  'judged.header': 'Header',
  'judged.days_left': 'Verbleibende Tage',
  'judged.records': 'Einträge vom Typ {{type}}',
};
const t = ((key: string, values?: { type: string }) =>
  (TEXTS[key] ?? key).replace('{{type}}', values?.type ?? '')) as unknown as TFunction;
const said = (what: string) => judgedWords(t, { exists: (key) => key in TEXTS }, what);

test('fixed words are translated, names after them stay', () => {
  assert.equal(said('Days left'), 'Verbleibende Tage');
  assert.equal(said('Header content-type'), 'Header content-type');
  assert.equal(said('AAAA records'), 'Einträge vom Typ AAAA');
});

test('unknown text is unchanged', () => {
  assert.equal(said('Something new'), 'Something new');
});
