import assert from 'node:assert/strict';
import { test } from 'node:test';
import { masked } from './mask.ts';

const CASES: [what: string, given: unknown, shown: unknown][] = [
  [
    'a password',
    { auth: { kind: 'basic', username: 'ann', password: 'x' } },
    { auth: { kind: 'basic', username: 'ann', password: '••••' } },
  ],
  [
    'a header',
    { headers: { Authorization: 'Bearer x', Accept: '*/*' } },
    { headers: { Authorization: '••••', Accept: '*/*' } },
  ],
  [
    'a token in an address',
    { url: 'https://a.example/x?token=abc&page=2' },
    { url: 'https://a.example/x?token=••••&page=2' },
  ],
  ['a user in an address', { url: 'https://ann:secret@a.example/x' }, { url: 'https://••••@a.example/x' }],
  [
    'the address of a heartbeat',
    { config: { ping_url: 'https://t.example/heartbeat/abc' } },
    { config: { ping_url: 'https://t.example/••••' } },
  ],
  [
    'what is none',
    { name: 'Key accounts', keyword: 'token', n: 1, none: null, tags: ['a'] },
    { name: 'Key accounts', keyword: 'token', n: 1, none: null, tags: ['a'] },
  ],
  ['an empty secret', { password: '' }, { password: '' }],
];
for (const [what, given, shown] of CASES)
  test(`masked or left alone: ${what}`, () => assert.deepEqual(masked(given), shown));
