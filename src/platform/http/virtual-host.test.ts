import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeRewrite, type VirtualHost, virtualHostOf } from './virtual-host.ts';

const PAGE: VirtualHost = {
  ...{ kind: 'page', domain: 'status.acme.example', slug: 'acme' },
  ...{ isCertified: false, isDangling: false },
};
const at = (name: string): VirtualHost => {
  if (name === 'status.acme.example') return PAGE;
  return name === 'nobody.example' ? { kind: 'nowhere' } : { kind: 'installation' };
};
const pathOn = (_page: unknown, url: string) => `/rewritten${url}`;

/** The host and path that a request with these headers is routed to. */
function arrive(headers: IncomingHttpHeaders, trustProxy = 0) {
  const request = { url: '/x', headers: { ...headers } } as IncomingMessage;
  const path = makeRewrite({ at, pathOn }, trustProxy)(request);
  return { kind: virtualHostOf(request).kind, path, headers: request.headers };
}

test('a name is compared without case, port, brackets and trailing dot', () => {
  const hosts = [
    'status.acme.example',
    'STATUS.Acme.Example',
    'status.acme.example:443',
    'status.acme.example.',
  ];
  for (const host of [...hosts, 'status.acme.example.:8443'])
    assert.deepEqual([arrive({ host }).kind, arrive({ host }).path], ['page', '/rewritten/x'], host);
  assert.equal(arrive({ host: 'nobody.example:80' }).kind, 'nowhere');
});

test('without a Host header the installation is meant', () => {
  for (const host of [undefined, '', ':80', '.', '[]'])
    assert.equal(arrive({ host }).kind, 'installation', String(host));
});

test('a proxy’s header for the name counts only from a trusted proxy, and only if it connects by no name', () => {
  const said = { 'x-forwarded-host': 'status.acme.example' };
  assert.equal(arrive({ host: '127.0.0.1:3300', ...said }).kind, 'installation');
  for (const host of ['127.0.0.1:3300', '[::1]:3300', 'tocsin:3300', 'localhost'])
    assert.equal(arrive({ host, ...said }, 1).kind, 'page', host);
  assert.equal(arrive({ host: 'tocsin.example.com', ...said }, 1).kind, 'installation');
});

test('of several names the nearest proxy’s counts', () => {
  const said = { 'x-forwarded-host': 'status.acme.example, nobody.example' };
  assert.equal(arrive({ host: '127.0.0.1', ...said }, 1).kind, 'nowhere');
});

test('the Forwarded header counts if the others are absent', () => {
  const cases: [forwarded: string, addresses: string, host: string | undefined, proto: string | undefined][] =
    [
      ['for=192.0.2.1;host=a.example;proto=https', '192.0.2.1', 'a.example', 'https'],
      ['for="[2001:db8::1]:4711";proto=http', '2001:db8::1', undefined, 'http'],
      [
        'for="192.0.2.1:4711", for=198.51.100.2;host="b.example:8443"',
        '192.0.2.1, 198.51.100.2',
        'b.example:8443',
        undefined,
      ],
      ['proto=https', 'unknown', undefined, 'https'],
      ['for=_hidden', '_hidden', undefined, undefined],
    ];
  for (const [forwarded, addresses, host, proto] of cases) {
    const { headers } = arrive({ host: '127.0.0.1', forwarded }, 1);
    assert.deepEqual(
      [headers['x-forwarded-for'], headers['x-forwarded-host'], headers['x-forwarded-proto']],
      [addresses, host, proto],
      forwarded,
    );
  }
  const both = arrive(
    { host: '127.0.0.1', forwarded: 'for=192.0.2.1', 'x-forwarded-for': '198.51.100.1' },
    1,
  );
  assert.equal(both.headers['x-forwarded-for'], '198.51.100.1');
  assert.equal(
    arrive({ host: '127.0.0.1', forwarded: 'for=192.0.2.1' }).headers['x-forwarded-for'],
    undefined,
  );
});

test('no header causes an error', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.nat(3), (host, forwarded, named, proxies) => {
      arrive({ host, forwarded, 'x-forwarded-host': named }, proxies);
    }),
  );
});
