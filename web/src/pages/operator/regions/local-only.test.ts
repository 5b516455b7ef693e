import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLocalOnly } from './local-only.ts';

const command = (url: string) => `tocsin probe --url ${url} --token tcp_x`;

test('a loopback address is no use to a probe on another machine', () => {
  for (const url of ['http://127.0.0.1:3300', 'http://localhost:3300', 'http://[::1]:3300'])
    assert.ok(isLocalOnly(command(url)), url);
  for (const url of ['https://tocsin.example.com', 'http://10.0.0.7:3300', 'http://localhost.example.com'])
    assert.ok(!isLocalOnly(command(url)), url);
});
