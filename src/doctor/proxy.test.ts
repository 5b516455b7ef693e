import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Arrival, checkProxy, type ProxySettings } from './proxy.ts';

const PLAIN: ProxySettings = {
  host: '127.0.0.1',
  port: 3300,
  baseUrl: 'http://127.0.0.1:3300',
  trustProxy: 0,
  edge: 'none',
};
const PROXIED: ProxySettings = { ...PLAIN, baseUrl: 'https://tocsin.example.com', trustProxy: 1 };

/** The codes that settings, and a request that came like this, give. */
function codes(
  settings: Partial<ProxySettings>,
  arrival: Partial<Arrival> | null = null,
  base = PLAIN,
): string[] {
  const came = arrival && { host: undefined, forwardedFor: undefined, forwardedHost: undefined, ...arrival };
  return checkProxy({ ...base, ...settings }, came).map(({ code }) => code);
}

test('by the settings alone, a proxy exists if only a proxy could serve BASE_URL', () => {
  assert.deepEqual(codes({}), ['proxy_fits']);
  assert.deepEqual(codes({}, null, PROXIED), ['proxy_fits']);
  assert.deepEqual(codes({ trustProxy: 0 }, null, PROXIED), ['proxy_in_front']);
  assert.deepEqual(codes({ baseUrl: 'http://tocsin.lan' }), ['proxy_in_front']);
  assert.deepEqual(codes({ trustProxy: 1 }), ['proxy_absent']);
  assert.deepEqual(codes({ host: '0.0.0.0' }), ['base_url_local']);
});

test('an edge on this machine needs no TRUST_PROXY', () => {
  const edge = 'caddy';
  assert.deepEqual(codes({ edge, trustProxy: 0 }, null, PROXIED), ['proxy_fits']);
  const came = { forwardedFor: '192.0.2.1', host: 'tocsin.example.com' };
  assert.deepEqual(codes({ edge, trustProxy: 0 }, came, PROXIED), ['proxy_fits']);
});

test('a request shows how many proxies it passed', () => {
  const host = '127.0.0.1:3300';
  assert.deepEqual(codes({}, { host }), ['proxy_fits']);
  assert.deepEqual(codes({}, { host, forwardedFor: '192.0.2.1' }), ['proxy_forwards']);
  assert.deepEqual(codes({ trustProxy: 2 }, { forwardedFor: '192.0.2.1' }, PROXIED), ['proxy_fewer']);
  assert.deepEqual(codes({ trustProxy: 1 }, { forwardedFor: 'forged, 192.0.2.1' }, PROXIED), ['proxy_fits']);
});

test('a page opened under another name than BASE_URL is reported; names of this machine count as one', () => {
  assert.deepEqual(codes({}, { host: 'tocsin.lan:3300' }), ['base_url_differs']);
  assert.deepEqual(codes({}, { host: 'localhost:3300' }), ['proxy_fits']);
  const behind = { forwardedFor: '192.0.2.1', forwardedHost: 'other.example.com' };
  assert.deepEqual(codes({}, behind, PROXIED), ['base_url_differs']);
  assert.deepEqual(codes({}, { forwardedFor: '192.0.2.1' }, PROXIED), ['proxy_fits']);
  assert.deepEqual(codes({ port: 0, baseUrl: 'http://127.0.0.1:0' }, { host: 'tocsin.lan:41' }), [
    'proxy_fits',
  ]);
});
