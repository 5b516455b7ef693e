import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { passwordHash, passwordMatches } from './password-hashing.ts';

test('a password matches its own hash and no other', async () => {
  const [hash, other] = await Promise.all([passwordHash('correct horse'), passwordHash('correct horse')]);
  assert.notEqual(hash, other);
  assert.equal(await passwordMatches({ hash, password: 'correct horse' }), true);
  assert.equal(await passwordMatches({ hash, password: 'Correct horse' }), false);
});

test('a hash takes 16,384 rounds of scrypt, and 32 MiB', async () => {
  const [salt = '', key] = (await passwordHash('correct horse')).split(':');
  const options = { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 };
  assert.equal(key, scryptSync('correct horse', salt, 64, options).toString('hex'));
});

test('hashing does not block the event loop', async () => {
  let done = false;
  const hashing = passwordHash('correct horse').finally(() => {
    done = true;
  });
  // On the loop itself it would be done with the first or second of its turns.
  let turns = 0;
  for (; !done; turns++) await new Promise((next) => setImmediate(next));
  await hashing;
  assert.ok(turns > 20, `${turns} turns`);
});
