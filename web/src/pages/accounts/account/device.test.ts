import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceName, deviceOf } from './device.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';

test('browsers are identified by their own name, not by an older one in the user agent', () => {
  const cases: [string, string | null, string | null, string][] = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
      'Edge 141',
      'Windows',
      'desktop',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36',
      'Chrome 141',
      'Linux',
      'desktop',
    ],
    [
      `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`,
      'Safari 18',
      'macOS',
      'desktop',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'Safari 18',
      'iPhone',
      'phone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
      'Chrome 141',
      'Android',
      'phone',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      'Firefox 145',
      'Linux',
      'desktop',
    ],
  ];
  for (const [said, browser, system, kind] of cases)
    assert.deepEqual(deviceOf(said), { browser, system, kind });
});

test('a program is named by its first token, and an empty user agent gives nothing', () => {
  assert.deepEqual(deviceOf('curl/8.9.1'), { browser: 'curl 8.9.1', system: null, kind: 'program' });
  assert.deepEqual(deviceOf('<script>'), { browser: null, system: null, kind: 'program' });
  assert.deepEqual(deviceOf(null), { browser: null, system: null, kind: 'program' });
});

test('a new passkey is named after browser and system', () => {
  assert.equal(deviceName(`${MAC} AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15`), 'Safari, macOS');
  assert.equal(deviceName(''), '');
});
