import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostName, ownName } from './names.ts';
import { edgeSettings } from './settings.ts';

const label = 'a'.repeat(63);
const longest = `${label}.${label}.${label}.${'b'.repeat(61)}`;

for (const [text, name] of [
  ['status.example.com', 'status.example.com'],
  ['STATUS.Example.COM.', 'status.example.com'],
  ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
  [longest, longest],
  [`${longest}.`, longest],
  [`b${longest}`, null],
  [`${label}a.example`, null],
  ['localhost', null],
  ['127.0.0.1', null],
  ['[::1]', null],
  ['::1', null],
  ['*.example.com', null],
  ['example.com..', null],
  ['.example.com', null],
  ['-a.example.com', null],
  ['a_b.example.com', null],
  ['münchen.example', null],
  ['a b.example', null],
  ['', null],
] as const)
  test(`"${text.length > 40 ? `${text.slice(0, 8)}… (${text.length})` : text}" is ${name === null ? 'no name' : 'a name'}`, () => {
    assert.equal(hostName(text), name);
  });

test('the installation has its own name if BASE_URL is https with one', () => {
  assert.equal(ownName('https://Tocsin.example.com:8443'), 'tocsin.example.com');
  for (const none of ['http://tocsin.example.com', 'https://127.0.0.1', 'https://[::1]', 'https://localhost'])
    assert.equal(ownName(none), null, none);
});

const GIVEN = {
  ...{ host: '127.0.0.1', edgeUpstreams: [], edgeHttpPort: 80, edgeHttpsPort: 443 },
  ...{ edgeCa: 'public' as const, edgeAcmeEmail: null },
} as const;

for (const [said, given, upstreams, asked] of [
  ['this server', {}, ['127.0.0.1:3300'], '127.0.0.1:3300'],
  ['a server on IPv6', { host: '::1' }, ['[::1]:3300'], '[::1]:3300'],
  ['a server that listens everywhere', { host: '0.0.0.0' }, ['127.0.0.1:3300'], '127.0.0.1:3300'],
  [
    'several machines',
    {
      edgeUpstreams: [
        { host: '10.0.0.2', port: 3300 },
        { host: '10.0.0.1', port: null },
      ],
    },
    ['10.0.0.1:3300', '10.0.0.2:3300'],
    '127.0.0.1:3300',
  ],
  [
    'two servers on one machine',
    {
      edgeUpstreams: [
        { host: '127.0.0.1', port: 3301 },
        { host: '127.0.0.1', port: 3302 },
      ],
    },
    ['127.0.0.1:3301', '127.0.0.1:3302'],
    '127.0.0.1:3301',
  ],
] as const)
  test(`an edge in front of ${said} proxies to it, and sends its ask requests over loopback`, () => {
    const settings = edgeSettings({ ...GIVEN, ...(given as object) }, 3300);
    assert.deepEqual(settings.upstreams, upstreams);
    assert.equal(settings.askUrl, `http://${asked}/edge/ask`);
  });
