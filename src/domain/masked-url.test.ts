import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskedUrl } from './masked-url.ts';

const CASES: [given: string, shown: string][] = [
  ['https://example.com/', 'https://example.com/'],
  ['https://example.com/?page=2&q=', 'https://example.com/?page=2&q='],
  ['https://example.com/?token=abc', 'https://example.com/?token=***'],
  ['https://example.com/?a=1&API-Key=a=b&z=2#part', 'https://example.com/?a=1&API-Key=***&z=2#part'],
  [
    'https://s3.example.com/f?X-Amz-Signature=0f&X-Amz-Date=1',
    'https://s3.example.com/f?X-Amz-Signature=***&X-Amz-Date=1',
  ],
  ['https://example.com/?%74oken=abc', 'https://example.com/?%74oken=***'],
  ['https://example.com/?%zz=abc&key=1', 'https://example.com/?%zz=abc&key=***'],
  ['https://example.com/monkey?keyboard=qwerty', 'https://example.com/monkey?keyboard=qwerty'],
  // Neither a secret nor an address of the usual form.
  ['example.com:8080', 'example.com:8080'],
  ['', ''],
];

for (const [given, shown] of CASES)
  test(`"${given}" is shown as "${shown}"`, () => assert.equal(maskedUrl(given, '***'), shown));
