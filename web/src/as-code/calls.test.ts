import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { curlCall, fetchCall } from './calls.ts';

const URLS = [
  'https://tocsin.example/monitors/mon_1',
  "https://tocsin.example/o?tag=it's&period=2026-10/2026-11&x=$HOME`id`",
];
for (const url of URLS)
  test(`a shell and JavaScript read the address unchanged: ${url}`, () => {
    const script = curlCall(url).replace(/^curl/, 'printf "%s\\n"');
    const said = execFileSync('sh', ['-c', script], { env: { TOCSIN_KEY: 'tcn_1' } }).toString();
    assert.deepEqual(said.trim().split('\n'), ['-H', 'Authorization: Bearer tcn_1', url]);
    const [, written = ''] = /fetch\((.*), \{$/m.exec(fetchCall(url)) ?? [];
    assert.equal(JSON.parse(written), url);
  });
