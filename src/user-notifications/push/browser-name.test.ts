import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserName } from './browser-name.ts';

const CASES: [string, string][] = [
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['curl/8.0', 'Browser'],
  ['', 'Browser'],
];

test('a browser is shown by its name and system, never by its raw user agent', () => {
  for (const [userAgent, name] of CASES) assert.equal(browserName(userAgent), name);
  assert.equal(browserName(undefined), 'Browser');
  assert.equal(browserName(`<script>${'x'.repeat(100_000)}Firefox/1`), 'Browser');
});
