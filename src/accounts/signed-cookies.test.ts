import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serializeSignedCookie } from 'better-call';
import { resignCookies, signedValue } from './signed-cookies.ts';

const NAME = '__Host-tocsin.session_token';
const OLD = { value: 'the secret before' };
const NEW = { value: 'the secret in force' };

/** As the library signs it. */
const signed = (value: string, secret: string, name = NAME) => serializeSignedCookie(name, value, secret);

test('a value signed with the current secret is read, even among other cookies', async () => {
  const cookie = await signed('a+b/c token', NEW.value);
  assert.equal(signedValue(cookie, NAME, [NEW, OLD]), 'a+b/c token');
  assert.equal(signedValue(`theme=dark; ${cookie}; x=1`, NAME, [NEW]), 'a+b/c token');
  assert.equal(signedValue(decodeURIComponent(cookie), NAME, [NEW]), 'a+b/c token');
});

test('a value with another secret, another name or no signature is not read', async () => {
  const cookie = await signed('token', NEW.value);
  const wrong = [
    await signed('token', OLD.value),
    await signed('token', NEW.value, 'tocsin.session_token'),
    cookie.replace('token.', 'tokem.'),
    `${NAME}=token`,
    `${NAME}=token.`,
    '',
  ];
  for (const header of wrong) assert.equal(signedValue(header, NAME, [NEW, OLD]), null, header);
  assert.equal(signedValue(cookie, NAME, undefined), null);
});

test('a value signed with the previous secret is read once it is signed with the current one', async () => {
  const cookie = await signed('token', OLD.value);
  assert.equal(signedValue(resignCookies(cookie, [NEW, OLD]), NAME, [NEW, OLD]), 'token');
});
