// The address of a heartbeat monitor: made by the server, read in its config, sent back as it is
// (docs/rules/monitor-types.md#heartbeat).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';

const BASE_URL = 'https://tocsin.example.com';
const SCHEDULE = { schedule: { kind: 'period', period_seconds: 300 } };

let app: TestApp;
let place: Place;
let path: string;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  path = `/projects/${place.projectId}/monitors`;
});

let made = 0;
const create = (at = app) => {
  made += 1;
  const body = { name: `Monitor ${made}`, type: 'heartbeat', config: SCHEDULE };
  return at.alice.ok<Monitor>('POST', at === app ? path : `/projects/${at.home.projectId}/monitors`, body);
};
const urlOf = (monitor: Monitor) => (monitor.config as { ping_url: string }).ping_url;

test('every heartbeat has its own address, the same in every answer', async () => {
  const [monitor, other] = [await create(), await create()];
  assert.match(urlOf(monitor), /^http:\/\/[^/]+\/heartbeat\/[A-Za-z0-9_-]{20,}$/);
  assert.notEqual(urlOf(monitor), urlOf(other));
  assert.deepEqual(await app.alice.ok('GET', `/monitors/${monitor.id}`), monitor);
  const listed = await app.alice.ok<Monitor[]>('GET', path);
  assert.equal(urlOf(listed.find(({ id }) => id === monitor.id)!), urlOf(monitor));
});

test('the address begins with BASE_URL', async () => {
  const proxied = await startAppOfFile({ env: { BASE_URL } });
  assert.ok(urlOf(await create(proxied)).startsWith(`${BASE_URL}/heartbeat/`));
});

test('the address can be sent back as read, survives every change, and cannot be changed', async () => {
  const monitor = await create();
  const at = `/monitors/${monitor.id}`;
  const changed = await app.alice.ok<Monitor>('PATCH', at, {
    config: { ...(monitor.config as object), grace_seconds: 5 },
  });
  assert.equal(urlOf(changed), urlOf(monitor));
  await app.alice.ok('PATCH', at, { enabled: false });
  assert.equal(urlOf(await app.alice.ok<Monitor>('PATCH', at, { enabled: true })), urlOf(monitor));
  const refused = { status: 400, error: 'invalid_request', field: 'config.ping_url' };
  for (const ping_url of ['', `${urlOf(monitor)}x`, urlOf(await create()), 7])
    assertRefused(await app.alice.send('PATCH', at, { config: { ping_url } }), refused);
  const config = { ...SCHEDULE, ping_url: urlOf(monitor) };
  const again = await app.alice.send('POST', path, { name: 'Again', type: 'heartbeat', config });
  assertRefused(again, refused);
});

test('a monitor that becomes a heartbeat gets an address, and loses it with the type', async () => {
  const body = { name: 'Turned', type: 'http', config: { url: 'https://shop.example.com' } };
  const monitor = await app.alice.ok<Monitor>('POST', path, body);
  const at = `/monitors/${monitor.id}`;
  const turned = await app.alice.ok<Monitor>('PATCH', at, { type: 'heartbeat', config: SCHEDULE });
  assert.ok(urlOf(turned).includes('/heartbeat/'));
  const back = await app.alice.ok<Monitor>('PATCH', at, { type: 'http', config: body.config });
  assert.equal('ping_url' in (back.config as object), false);
});
