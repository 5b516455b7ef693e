import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForeign, type Sent } from './same-origin.ts';

const OWN = 'https://tocsin.example.com';
const post = (headers: Sent['headers'], more: Partial<Sent> = {}): Sent => ({
  method: 'POST',
  protocol: 'http',
  host: 'tocsin.example.com',
  headers: { cookie: 'session=x', ...headers },
  ...more,
});

for (const [what, sent, foreign] of [
  ['our own page', post({ origin: OWN }), false],
  ['no Origin and nothing else that a browser sends', post({}), false],
  ['Origin null (a sandboxed frame, a file)', post({ origin: 'null' }), true],
  ['an empty Origin', post({ origin: '' }), true],
  ['another scheme', post({ origin: 'http://tocsin.example.com' }), true],
  ['another port', post({ origin: `${OWN}:8443` }), true],
  ['the default port written out', post({ origin: `${OWN}:443` }), false],
  ['a sub-domain', post({ origin: 'https://a.tocsin.example.com' }), true],
  ['the parent domain', post({ origin: 'https://example.com' }), true],
  ['our name at the front of another', post({ origin: `${OWN}.evil.example` }), true],
  ['our name as a user name', post({ origin: 'https://tocsin.example.com@evil.example' }), true],
  ['another site', post({ origin: 'https://evil.example' }), true],
  ['another site that has our path', post({ origin: `https://evil.example/${OWN}` }), true],
  ['an Origin that is none', post({ origin: 'nonsense' }), true],
  ['Sec-Fetch-Site same-origin', post({ 'sec-fetch-site': 'same-origin' }), false],
  ['Sec-Fetch-Site same-site', post({ 'sec-fetch-site': 'same-site' }), true],
  ['Sec-Fetch-Site cross-site', post({ 'sec-fetch-site': 'cross-site' }), true],
  ['Sec-Fetch-Site none', post({ 'sec-fetch-site': 'none' }), true],
  ['Origin counts before Sec-Fetch-Site', post({ origin: OWN, 'sec-fetch-site': 'cross-site' }), false],
  ['another name it was asked at', post({ origin: 'https://b.example' }, { host: 'b.example' }), false],
  ['that name over http', post({ origin: 'http://b.example' }, { host: 'b.example' }), true],
  ['a safe method', post({ origin: 'https://evil.example' }, { method: 'GET' }), false],
  ['no cookie', post({ origin: 'https://evil.example', cookie: undefined }), false],
] as const)
  test(`${foreign ? 'refused' : 'taken'}: ${what}`, () => {
    assert.equal(isForeign(sent, new URL(OWN)), foreign);
  });

test('over http the origin is the requested address with its scheme and port', () => {
  const base = new URL('http://127.0.0.1:3300');
  const asked = { host: 'monitor.lan:3300', protocol: 'http' };
  assert.equal(isForeign(post({ origin: 'http://monitor.lan:3300' }, asked), base), false);
  assert.equal(isForeign(post({ origin: 'http://monitor.lan' }, asked), base), true);
  assert.equal(isForeign(post({ origin: 'https://monitor.lan:3300' }, asked), base), true);
});
