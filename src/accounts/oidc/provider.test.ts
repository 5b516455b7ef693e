import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { makeOidcProvider } from './provider.ts';

const CLIENT = { clientId: 'tocsin', clientSecret: 'a secret', name: 'Test' };
const CHECKS = { state: 'the-state', nonce: 'the-nonce', codeVerifier: 'v'.repeat(64) };
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const own = rsa();
const foreign = rsa();

type Claims = Record<string, unknown>;
type Lie = {
  claims?: Claims;
  header?: Claims;
  key?: KeyObject;
  token?: (honest: string) => string;
  userinfo?: Claims;
};

let lie: Lie = {};
let issuer = '';
let requests: string[] = [];
let nowMs = Date.now();
/** A provider that says whatever the test makes it say. */
const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', issuer);
  requests.push(pathname);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(REPLIES[pathname]?.() ?? {}));
});
const REPLIES: Record<string, () => unknown> = {
  '/.well-known/openid-configuration': () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }),
  '/keys': () => ({
    keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
  }),
  '/token': () => ({
    access_token: 'access',
    token_type: 'Bearer',
    id_token: (lie.token ?? String)(idToken()),
  }),
  '/userinfo': () => ({ sub: 'bob', email: 'bob@example.com', email_verified: true, ...lie.userinfo }),
};

function idToken(): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: issuer, aud: 'tocsin', sub: 'bob', nonce: CHECKS.nonce, iat: now, exp: now + 60 };
  const signed = `${part({ alg: 'RS256', kid: 'one', ...lie.header })}.${part({ ...claims, ...lie.claims })}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), lie.key ?? own.privateKey).toString('base64url')}`;
}

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const provider = () => makeOidcProvider({ issuer, ...CLIENT }, () => new Date(nowMs));
const back = (query = 'code=c&state=the-state') => new URL(`https://tocsin.example/auth/cb?${query}`);

test('a valid answer is accepted, and the address is requested if the token lacks it', async () => {
  lie = {};
  assert.deepEqual(await provider().redeem(back(), CHECKS), {
    issuer,
    subject: 'bob',
    email: 'bob@example.com',
    emailVerified: true,
    name: null,
  });
  lie = { claims: { email: 'x@example.com', email_verified: 'true', name: ' Bob ' } };
  const { email, emailVerified, name } = await provider().redeem(back(), CHECKS);
  assert.deepEqual([email, emailVerified, name], ['x@example.com', false, 'Bob']);
});

const LIES: Record<string, Lie> = {
  'signed with a foreign key': { key: foreign.privateKey },
  'not signed': { header: { alg: 'none' }, token: (honest) => honest.replace(/\.[^.]*$/, '.') },
  'changed after signing': {
    token: (honest) => honest.replace(/\.[^.]+\./, (part) => `.${part.slice(1, -2)}A.`),
  },
  'of another issuer': { claims: { iss: 'https://evil.example' } },
  'for another client': { claims: { aud: 'somebody else' } },
  'of another sign-in': { claims: { nonce: 'another' } },
  'without the nonce': { claims: { nonce: undefined } },
  'that has run out': { claims: { exp: Math.floor(Date.now() / 1000) - 600 } },
  'without a subject': { claims: { sub: undefined } },
  'that is none': { token: () => 'x.y.z' },
  'with the claims of somebody else beside it': { userinfo: { sub: 'carol' } },
};
for (const [what, how] of Object.entries(LIES))
  test(`a token ${what} is refused`, async () => {
    lie = how;
    await assert.rejects(provider().redeem(back(), CHECKS));
  });

test('a state that does not belong to this browser is refused before any request', async () => {
  lie = {};
  requests = [];
  await assert.rejects(provider().redeem(back('code=c&state=another'), CHECKS));
  await assert.rejects(provider().redeem(back('code=c'), CHECKS));
  assert.ok(!requests.includes('/token'));
});

test('the redirect carries state, nonce and the PKCE challenge', async () => {
  const url = new URL(await provider().authorizationUrl('https://tocsin.example/auth/cb', CHECKS));
  const { state, nonce, code_challenge, ...rest } = Object.fromEntries(url.searchParams);
  assert.deepEqual([state, nonce, code_challenge?.length], [CHECKS.state, CHECKS.nonce, 43]);
  assert.deepEqual(rest, {
    client_id: 'tocsin',
    redirect_uri: 'https://tocsin.example/auth/cb',
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
  });
  assert.ok(!url.href.includes(CHECKS.codeVerifier));
});

test('the discovery document is fetched once an hour', async () => {
  requests = [];
  const one = provider();
  for (let i = 0; i < 3; i++) await one.authorizationUrl('https://tocsin.example/auth/cb', CHECKS);
  assert.equal(requests.length, 1);
  nowMs += 3601_000;
  await one.authorizationUrl('https://tocsin.example/auth/cb', CHECKS);
  assert.equal(requests.length, 2);
});
