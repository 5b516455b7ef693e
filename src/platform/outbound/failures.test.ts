import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeFailure } from './exchange-failure.ts';
import { connectFailure, PROBE_EXHAUSTED } from './failures.ts';

for (const code of ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM'])
  test(`${code} is this machine's fault, before and after a connection is open`, () => {
    const error = Object.assign(new Error(code), { code });
    for (const failure of [connectFailure(error, '192.0.2.1', 443), exchangeFailure(error, 'example.com')])
      assert.deepEqual([failure.failureClass, failure.layer], [PROBE_EXHAUSTED, 'probe']);
  });
