import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Nullable } from '../contract.ts';
import { Refusal } from '../refusals.ts';
import { coerceQuery, problemOf, validate } from './validate.ts';

const closed = { additionalProperties: false };
const Body = Type.Object(
  {
    name: Type.String({ maxLength: 5 }),
    mode: Type.Optional(Type.Enum(['one', 'two'])),
    count: Type.Optional(Nullable(Type.Integer({ minimum: 1 }))),
    inner: Type.Optional(
      Type.Object({ list: Type.Array(Type.Object({ a: Type.String() }, closed)) }, closed),
    ),
    auth: Type.Optional(
      Nullable(
        Type.Union([
          Type.Object({ kind: Type.Literal('basic'), user: Type.String() }, closed),
          Type.Object({ kind: Type.Literal('bearer'), token: Type.String() }, closed),
        ]),
      ),
    ),
  },
  closed,
);

const fieldOf = (value: unknown, prefix?: string) => {
  try {
    validate(Body, value, prefix);
  } catch (error) {
    assert.ok(error instanceof Refusal && error.code === 'invalid_request');
    return error.details.field;
  }
  return 'nothing';
};

test('valid values pass, and null where it is allowed', () => {
  assert.equal(fieldOf({ name: 'x', count: null, auth: null, mode: 'two' }), 'nothing');
});

test('the invalid field is named by its path', () => {
  for (const [value, field] of [
    [{}, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'too long' }, 'name'],
    [{ name: 'x', mode: 'three' }, 'mode'],
    [{ name: 'x', count: 0 }, 'count'],
    [{ name: 'x', extra: 1 }, 'extra'],
    [{ name: 'x', inner: { list: [{ a: 'x' }, { a: 1 }] } }, 'inner.list.1.a'],
    [{ name: 'x', inner: { list: [{ a: 'x', b: 1 }] } }, 'inner.list.0.b'],
    [{ name: 'x', inner: {} }, 'inner.list'],
    [null, undefined],
    [[], undefined],
    ['text', undefined],
  ] as const)
    assert.equal(fieldOf(value), field, JSON.stringify(value));
});

test('of many unknown fields one is named, in the usual words', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`extra${i}`, i]));
  assert.equal(problemOf(Body, { name: 'x', ...many }), 'extra0 is not a field of this request.');
  assert.equal(
    problemOf(Body, { name: 'x', inner: { list: [{ a: 'x', ...many }] } }),
    'inner.list.0.extra0 is not a field of this request.',
  );
});

test('an error inside a union names a member of the union', () => {
  assert.match(fieldOf({ name: 'x', auth: { kind: 'basic' } }) ?? '', /^auth/);
  assert.match(fieldOf({ name: 'x', auth: { kind: 'other' } }) ?? '', /^auth/);
  assert.match(fieldOf({ name: 'x', auth: 'text' }) ?? '', /^auth/);
});

test('in a discriminated union the chosen branch is judged', () => {
  const auth = (value: unknown) => problemOf(Body, { name: 'x', auth: value });
  assert.equal(auth({ kind: 'basic' }), 'auth.user is required.');
  assert.equal(auth({ kind: 'bearer', token: 7 }), 'auth.token must be string.');
  assert.equal(auth({ kind: 'bearer', token: 'x', user: 'y' }), 'auth.user is not a field of this request.');
  assert.equal(auth({ kind: 'other', user: 'y' }), 'auth.kind must be one of basic, bearer.');
  assert.equal(auth({}), 'auth.kind is required.');
});

test('a prefix precedes the path', () => {
  assert.equal(fieldOf({ name: 7 }, 'config'), 'config.name');
});

test('a name with a slash or a tilde is reported as it was sent', () => {
  assert.equal(fieldOf({ name: 'x', 'a/b~c': 1 }), 'a/b~c');
});

test('for an empty value that must not be empty the error says so', () => {
  const Line = Type.Object({
    path: Type.String({ minLength: 1 }),
    tags: Type.Array(Type.String(), { minItems: 1 }),
  });
  assert.equal(problemOf(Line, { path: '', tags: ['a'] }), 'path must not be empty.');
  assert.equal(problemOf(Line, { path: 'x', tags: [] }), 'tags must not be empty.');
});

test('problemOf returns the problem instead of throwing', () => {
  assert.equal(problemOf(Body, { name: 'x' }), null);
  assert.match(problemOf(Body, { name: 7 }) ?? '', /^name must /);
});

test('query parameters become numbers and booleans if the schema says so, and nothing else', () => {
  const query = Type.Object({ limit: Type.Integer(), deep: Type.Boolean(), text: Type.String() });
  assert.deepEqual(coerceQuery(query, { limit: '12', deep: 'true', text: '12', other: '3' }), {
    limit: 12,
    deep: true,
    text: '12',
    other: '3',
  });
  assert.deepEqual(coerceQuery(query, { limit: '1.5', deep: '1' }), { limit: '1.5', deep: '1' });
  assert.throws(() => coerceQuery(query, { limit: ['1', '2'] }), /more than once/);
  assert.throws(() => coerceQuery(query, { text: 'a\0b' }), /text contains a NUL/);
  assert.deepEqual(coerceQuery(query, JSON.parse('{"constructor":"1"}') as Record<string, unknown>), {
    constructor: '1',
  });
});
