import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import { test } from 'node:test';
import { openVault } from '../secrets.ts';
import { arePushKeys } from './push.ts';
import { makePushKey, vapidKeys, vapidSubject } from './vapid.ts';

const KEY = 'a secret key for tests, long enough to be one';
const keysUnder = (secretKey: string) => vapidKeys(makePushKey(openVault(secretKey).derive));

test('the key is stable across starts, differs for every SECRET_KEY, and is a valid pair', () => {
  const keys = keysUnder(KEY);
  assert.deepEqual(keysUnder(KEY), keys);
  assert.notEqual(keysUnder(`${KEY}!`).privateKey, keys.privateKey);
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(keys.privateKey, 'base64url');
  assert.equal(pair.getPublicKey('base64url'), keys.publicKey);
  assert.equal(Buffer.from(keys.privateKey, 'base64url').length, 32);
  assert.equal(Buffer.from(keys.publicKey, 'base64url').length, 65);
});

test('a derived value that is not a valid key is skipped', () => {
  const vault = openVault(KEY);
  const asked: string[] = [];
  const derive = (purpose: string) => {
    asked.push(purpose);
    return asked.length === 1
      ? Buffer.alloc(32, 0xff)
      : asked.length === 2
        ? Buffer.alloc(32)
        : vault.derive('x');
  };
  assert.equal(vapidKeys(makePushKey(derive)).privateKey, vault.derive('x').toString('base64url'));
  assert.equal(new Set(asked).size, 3);
});

test('push services get a mail address, or else the installation’s address', () => {
  const at = (mailFrom: string | null, baseUrl: string) => vapidSubject({ mailFrom, baseUrl });
  assert.equal(at('Tocsin <ops@example.com>', 'https://t.example'), 'mailto:ops@example.com');
  assert.equal(at('ops@example.com', 'https://t.example'), 'mailto:ops@example.com');
  assert.equal(at(null, 'https://t.example:8443'), 'https://t.example:8443');
  assert.equal(at(null, 'http://t.example'), 'mailto:tocsin@t.example');
});

test('a browser’s keys are a point on the curve and 16 bytes', () => {
  const pair = createECDH('prime256v1');
  const p256dh = pair.generateKeys('base64url');
  const auth = Buffer.alloc(16, 7).toString('base64url');
  assert.equal(arePushKeys({ p256dh, auth }), true);
  const off = Buffer.from(p256dh, 'base64url');
  off.writeUInt8(off.readUInt8(64) ^ 1, 64);
  for (const wrong of [
    { p256dh: off.toString('base64url'), auth },
    { p256dh: pair.getPublicKey('base64url', 'compressed'), auth },
    { p256dh: '', auth },
    { p256dh: 'not base64!', auth },
    { p256dh, auth: Buffer.alloc(15).toString('base64url') },
    { p256dh, auth: 'ü' },
  ])
    assert.equal(arePushKeys(wrong), false, JSON.stringify(wrong));
});
