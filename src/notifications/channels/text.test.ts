import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clean, fit, oneLine, span, utc } from './text.ts';

const CLEANED: [given: string, cleaned: string][] = [
  ['  plain  ', 'plain'],
  ['a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
  ['a\n\n\n\n\nb', 'a\n\nb'],
  ['\u202eabc\u202c \u2066x\u2069', 'abc x'],
  ['a\u0000b\u0007\u001b[31m', 'a b  [31m'],
  ['lone \ud800 here', 'lone \ufffd here'],
  ['مرحبا שלום 👩‍👩‍👧‍👦', 'مرحبا שלום 👩‍👩‍👧‍👦'],
];
for (const [given, cleaned] of CLEANED)
  test(`${JSON.stringify(given)} is cleaned`, () => assert.equal(clean(given), cleaned));

test('one line contains no line breaks', () => assert.equal(oneLine('a\n\n b\tc '), 'a b c'));

const CUT: [given: string, max: number, cut: string][] = [
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a  bcdef', 4, 'a…'],
  ['a👩‍👩‍👧‍👦b', 5, 'a…'],
  ['e\u0301e\u0301e\u0301', 4, 'e\u0301…'],
  ['', 5, ''],
];
for (const [given, max, cut] of CUT)
  test(`${JSON.stringify(given)} in ${max} is ${JSON.stringify(cut)}`, () =>
    assert.equal(fit(given, max), cut));

test('no escape sequence is split, and the limit applies to the output', () => {
  const written = (piece: string) => piece.replaceAll('<', '&lt;');
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', 'a', '👍', '界') }),
      fc.integer({ min: 1, max: 40 }),
      (text, max) => {
        const out = fit(text, max, written);
        assert.ok(out.length <= max);
        assert.ok(out.isWellFormed());
        assert.doesNotMatch(out.replaceAll('&lt;', ''), /[&;]/);
      },
    ),
  );
});

const SPANS: [seconds: number, words: string][] = [
  [0, '0 s'],
  [-5, '0 s'],
  [59.6, '1 min'],
  [45, '45 s'],
  [720, '12 min'],
  [3600, '1 h'],
  [11_100, '3 h 5 min'],
  [187_200, '2 d 4 h'],
  [172_800, '2 d'],
];
for (const [seconds, words] of SPANS)
  test(`${seconds} s are ${words}`, () => assert.equal(span(seconds), words));

test('a moment is written in UTC', () => assert.equal(utc(1_700_000_000), '2023-11-14 22:13:20 UTC'));
