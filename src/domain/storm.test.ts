import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CountedTraits, hostOf, nameOfStorm } from './storm.ts';

const some = (count: number, traits: Partial<CountedTraits> = {}): CountedTraits => ({
  host: null,
  failureClass: null,
  region: null,
  ...traits,
  count,
});
const db = { host: 'db.example.com' };

const NAMES: [what: string, members: CountedTraits[], name: string | null][] = [
  ['nothing', [some(3)], null],
  ['a host', [some(3, db)], 'db.example.com'],
  [
    'a host and a failure',
    [some(3, { ...db, failureClass: 'connect_refused' })],
    'db.example.com, connection refused',
  ],
  [
    'a failure',
    [some(2, { failureClass: 'connect_timeout' }), some(1, { ...db, failureClass: 'connect_timeout' })],
    'connection timed out',
  ],
  ['a region', [some(3, { region: 'eu-west' })], 'seen from eu-west'],
  [
    'a failure and a region',
    [some(3, { failureClass: 'dns_timeout', region: 'eu-west' })],
    'DNS timed out, seen from eu-west',
  ],
  ['a host and a region: the host says more', [some(3, { ...db, region: 'eu-west' })], 'db.example.com'],
  ['a host that two of three have', [some(2, db), some(1)], 'db.example.com'],
  ['a host that half of them have', [some(2, db), some(2)], null],
  ['a failure that nobody knows', [some(3, { failureClass: 'unknown' })], null],
];
for (const [what, members, name] of NAMES)
  test(`a storm whose incidents share ${what} is named ${name}`, () =>
    assert.equal(nameOfStorm(members), name));

const HOSTS: [config: Record<string, unknown>, host: string | null][] = [
  [{ url: 'https://Shop.example.com:8443/x' }, 'shop.example.com'],
  [{ url: 'wss://[::1]/' }, '[::1]'],
  [{ host: 'DB.example.com', port: 5432 }, 'db.example.com'],
  [{ domain: 'example.com' }, 'example.com'],
  [{ url: 'no address' }, null],
  [{ members: [] }, null],
];
for (const [config, host] of HOSTS)
  test(`the host of ${JSON.stringify(config)} is ${host}`, () => assert.equal(hostOf(config), host));
