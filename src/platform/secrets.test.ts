import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { secretHint } from '#src/domain/secret-hint.ts';
import { readEarlierKeys, readOrMakeSecretKey, renewSecretKey, saveEarlierKeys } from './secret-key-file.ts';
import { hashToken, openVault, SecretUnreadable, sameSecret, secretKeyId } from './secrets.ts';

const KEY = 'k'.repeat(32);

test('a sealed text opens with the same key and context, and differs every time', () => {
  const vault = openVault(KEY);
  const sealed = vault.seal('grüße', 'webhook wht_1 secret');
  assert.equal(vault.open(sealed, 'webhook wht_1 secret'), 'grüße');
  assert.notEqual(vault.seal('grüße', 'webhook wht_1 secret'), sealed);
  assert.equal(openVault(KEY).open(sealed, 'webhook wht_1 secret'), 'grüße');
  assert.ok(vault.isSealed(sealed) && !vault.isSealed('grüße'));
});

test('a sealed text does not open in another context, under another key, truncated or changed', () => {
  const vault = openVault(KEY);
  const sealed = vault.seal('secret', 'here');
  const swapped = sealed.slice(0, -6) + (sealed.at(-6) === 'A' ? 'B' : 'A') + sealed.slice(-5);
  assert.throws(() => vault.open(sealed, 'there'), SecretUnreadable);
  assert.throws(() => openVault('o'.repeat(32)).open(sealed, 'here'), SecretUnreadable);
  for (const bad of [swapped, sealed.slice(0, 20), sealed.slice(9), '', 'sealed:1:', 'plain'])
    assert.throws(() => vault.open(bad, 'here'), SecretUnreadable);
});

test('texts sealed under earlier keys open; new ones are sealed under the new key, which each seal names', () => {
  const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [string, string, string];
  const old = openVault(first).seal('oldest', 'here');
  const vault = openVault(third, [second, first]);
  assert.equal(vault.open(old, 'here'), 'oldest');
  assert.equal(vault.open(openVault(second).seal('older', 'here'), 'here'), 'older');
  assert.throws(() => vault.open(old, 'there'), SecretUnreadable);
  assert.throws(() => openVault(third, [second]).open(old, 'here'), SecretUnreadable);

  const fresh = vault.seal('new', 'here');
  assert.equal(openVault(third).open(fresh, 'here'), 'new');
  assert.throws(() => openVault(second, [first]).open(fresh, 'here'), SecretUnreadable);
  assert.ok(fresh.startsWith(`sealed:2:${secretKeyId(third)}:`));
  assert.deepEqual([vault.isCurrent(fresh), vault.isCurrent(old), vault.isSealed(old)], [true, false, true]);
  assert.deepEqual(vault.deriveEarlier('x'), [openVault(second).derive('x'), openVault(first).derive('x')]);
});

test('a seal without a key name opens with the key that fits', () => {
  const key = '1'.repeat(32);
  const unnamed = openVault(key)
    .seal('old', 'here')
    .replace(`2:${secretKeyId(key)}`, '1');
  const vault = openVault('2'.repeat(32), ['3'.repeat(32), key]);
  assert.equal(vault.open(unnamed, 'here'), 'old');
  assert.ok(vault.isSealed(unnamed) && !vault.isCurrent(unnamed));
});

test('every purpose has its own key, the same on every start', () => {
  assert.deepEqual(openVault(KEY).derive('sessions'), openVault(KEY).derive('sessions'));
  assert.notDeepEqual(openVault(KEY).derive('sessions'), openVault(KEY).derive('other'));
  assert.equal(openVault(KEY).derive('sessions').length, 32);
});

test('secrets are compared and hinted without leaking them', () => {
  assert.ok(sameSecret('abc', 'abc'));
  assert.ok(!sameSecret('abc', 'abcd'));
  assert.equal(secretHint('whsec_0123456789'), '••••6789');
  assert.equal(secretHint('12345678'), '••••5678');
  assert.equal(secretHint('1234567'), '••••');
  assert.equal(hashToken('').toString('hex').slice(0, 8), 'e3b0c442');
});

test('the first start generates a key that only its owner can read, later starts read it, a damaged one is refused', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-key-'));
  try {
    const key = readOrMakeSecretKey(join(dir, 'data'));
    assert.equal(readOrMakeSecretKey(join(dir, 'data')), key);
    assert.equal(Buffer.from(key, 'base64').length, 32);
    const path = join(dir, 'data/secret-key');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(readFileSync(path, 'utf8').trim(), key);
    writeFileSync(path, '');
    assert.throws(() => readOrMakeSecretKey(join(dir, 'data')), /fewer than 32 characters/);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('a new key takes effect, and earlier ones are kept until they are dropped', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-key-'));
  try {
    const first = readOrMakeSecretKey(dir);
    assert.deepEqual(readEarlierKeys(dir), []);
    const second = renewSecretKey(dir, first);
    const third = renewSecretKey(dir, second);
    assert.equal(readOrMakeSecretKey(dir), third);
    assert.deepEqual(readEarlierKeys(dir), [second, first]);
    assert.equal(statSync(join(dir, 'secret-key.previous')).mode & 0o777, 0o600);
    assert.equal(statSync(join(dir, 'secret-key')).mode & 0o777, 0o600);
    saveEarlierKeys(dir, []);
    assert.deepEqual([readEarlierKeys(dir), readOrMakeSecretKey(dir)], [[], third]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
