import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { makeSecret, signedHeaders, signingSecretHint } from './signature.ts';

const SIGNED = {
  event: 'opened',
  tryId: 'dlv_1-1-00000000',
  eventId: 'evt_1',
  body: '{"text":"Ω 🔔"}',
  secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  at: new Date(1_700_000_000_999),
};

test('the signature is over the UTF-8 bytes of the body, keyed with the whole secret as it is shown', () => {
  const own = createHmac('sha256', Buffer.from(SIGNED.secret, 'utf8')).update(
    Buffer.from(SIGNED.body, 'utf8'),
  );
  assert.equal(signedHeaders(SIGNED)['x-service-signature'], `sha256=${own.digest('hex')}`);
});

test('the Standard Webhooks signature is over id, timestamp and body, keyed with the decoded secret', () => {
  const headers = signedHeaders(SIGNED);
  const key = Buffer.from(Array.from({ length: 32 }, (_, i) => i));
  const expected = createHmac('sha256', key).update(`evt_1.1700000000.${SIGNED.body}`).digest('base64');
  assert.deepEqual(
    [headers['webhook-id'], headers['webhook-timestamp'], headers['webhook-signature']],
    ['evt_1', '1700000000', `v1,${expected}`],
  );
});

test('event, type and the delivery attempt’s id are in the headers', () => {
  const headers = signedHeaders(SIGNED);
  assert.deepEqual(
    [headers['x-service-event'], headers['x-service-delivery'], headers['content-type']],
    ['opened', SIGNED.tryId, 'application/json'],
  );
});

test('secrets are 32 random bytes, and their hint shows four characters', () => {
  const secret = makeSecret();
  assert.equal(Buffer.from(secret.replace('whsec_', ''), 'base64').length, 32);
  assert.notEqual(secret, makeSecret());
  assert.equal(signingSecretHint(secret), `whsec_••••${secret.slice(-4)}`);
});
