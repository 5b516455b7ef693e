// Strangers from very many addresses have passwords hashed continuously; members can still sign in, and prove their identity
// again.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { passwordHash } from '#src/accounts/password-hashing.ts';
import { askingFor } from '#src/platform/db/asker.ts';
import { PASSWORD, startAppOfFile, type TestApp } from '../harness/app.ts';
import { makeClient } from '../harness/client.ts';
import { WHOLE } from './scale.ts';

let app: TestApp;
before(async () => {
  if (!WHOLE) return;
  app = await startAppOfFile({ env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } });
});

/** More than fit, running and waiting. */
const AT_ONCE = 70;
const HOME = '198.51.100.7';

/** Hashes for ever new addresses, with a fixed concurrency; as requests would, without their load on the database. */
function floodOfHashes(atOnce: number): { end: () => Promise<void>; refused: () => number } {
  let over = false;
  let tries = 0;
  let refused = 0;
  const ask = async () => {
    while (!over) {
      const address = `stranger ${tries++}`;
      await askingFor({ tenant: null, address }, () => passwordHash('a password')).catch(() => refused++);
      await new Promise((done) => setImmediate(done));
    }
  };
  const all = Array.from({ length: atOnce }, ask);
  return {
    refused: () => refused,
    async end() {
      over = true;
      await Promise.all(all);
    },
  };
}

test('members can sign in and prove themselves again while strangers fill the queue of hashes', {
  skip: WHOLE
    ? false
    : 'hundreds of hashes: npm run siege (the queue itself: src/accounts/hash-queue.test.ts)',
}, async () => {
  const bob = await app.person('bob');
  const home = makeClient(app.url, { 'x-forwarded-for': HOME });
  const signIn = { email: bob.email, password: PASSWORD };
  await home.ok('POST', '/auth/sign-in/email', signIn);

  const flood = floodOfHashes(AT_ONCE);
  try {
    for (let i = 0; i < 20; i++) {
      await home.ok('POST', '/auth/sign-in/email', signIn);
      const proof = await bob.send('POST', '/me/authentication', { password: PASSWORD });
      assert.equal(proof.status, 204, JSON.stringify(proof.body));
    }
  } finally {
    await flood.end();
  }
  assert.ok(flood.refused() > 0, 'the queue was full');
});
