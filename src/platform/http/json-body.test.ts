import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../refusals.ts';
import { parseJsonBody } from './json-body.ts';

const refused = (text: string) => {
  try {
    parseJsonBody(text);
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return error.body();
  }
  throw new Error(`taken: ${text}`);
};

test('values that JSON represents exactly are accepted unchanged', () => {
  const value = fc.jsonValue({ maxDepth: 8 });
  fc.assert(
    fc.property(value, (given) => {
      const text = JSON.stringify(given);
      if (/\\u0000|\\ud[89a-f]|__proto__/i.test(text)) return;
      if (/(?<!")\b\d{16,}/.test(text) || /e\+/.test(text)) return;
      assert.deepEqual(parseJsonBody(text), JSON.parse(text));
    }),
  );
});

test('a refusal names the top-level field, however deep the error is', () => {
  assert.equal(refused('{"a":{"b":[{"c":"\\u0000"}]}}').field, 'a');
  assert.equal(refused('{"a":{"b":9007199254740992}}').field, 'a');
  assert.equal(refused('{"a":{"__proto__":1}}').field, 'a');
  assert.equal(refused('["\\ud800"]').field, undefined);
});

test('the largest safe integers and fractions are accepted', () => {
  assert.deepEqual(
    parseJsonBody('[9007199254740991,-9007199254740991,0.1,1e-300]'),
    [9007199254740991, -9007199254740991, 0.1, 1e-300],
  );
});

test('32 levels are accepted, 33 are refused', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  parseJsonBody(nested(32));
  assert.match(refused(nested(33)).message, /32 levels/);
});

test('values are counted before they are parsed, and commas inside strings do not count', () => {
  const list = (count: number) => `[${Array(count).fill(1)}]`;
  assert.doesNotThrow(() => parseJsonBody(list(20_000)));
  assert.throws(() => parseJsonBody(list(20_001)), /holds more than 20000 values/);
  assert.throws(() => parseJsonBody(`{"a":"\\"","b":${list(20_001)}}`), /holds more than 20000 values/);
  assert.doesNotThrow(() => parseJsonBody(JSON.stringify({ text: '\\",'.repeat(30_000) })));
  assert.doesNotThrow(() => parseJsonBody(list(30_000), { maxValues: Number.POSITIVE_INFINITY }));
});

test('readings may be numbers of any size, since each is validated later', () => {
  assert.throws(() => parseJsonBody('[1e308]'), /too large to be kept exactly/);
  assert.deepEqual(parseJsonBody('[1e308,9007199254740993]', { measured: true }), [1e308, 9007199254740992]);
});
