// A monitor's config has a size: what probes hold by the thousand must fit, whoever wrote it and by which way.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { MAX_CONFIG_BYTES } from '#src/monitors/sealing.ts';
import { validMonitor } from '#src/organization-export/validate-monitor.ts';
import { newId } from '#src/platform/ids.ts';
import { Refusal } from '#src/platform/refusals.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';

const TOO_LARGE = { status: 400, error: 'invalid_request', field: 'config', limit: 65_536 };
const url = 'https://shop.example.com/';

let app: TestApp;
let path: string;
before(async () => {
  app = await startAppOfFile();
  path = `/projects/${app.home.projectId}/monitors`;
});

let made = 0;
const body = (config: object) => ({ name: `Monitor ${made++}`, type: 'http', config });
/** A config of exactly so many bytes as it is stored. */
function configOf(bytes: number): { url: string; headers: Record<string, string> } {
  const config = { url, headers: {} as Record<string, string> };
  const used = () => Buffer.byteLength(JSON.stringify(config));
  for (let i = 10; used() < bytes; i++) {
    config.headers[`x-${i}`] = '';
    // The last one is cut to measure, and leaves no rest that is too short for another.
    const left = bytes - used();
    config.headers[`x-${i}`] = 'a'.repeat(left <= 8000 ? left : 7000);
  }
  return config;
}

test('a config of 64 KiB is accepted, one byte more is refused', async () => {
  const monitor = await app.alice.ok<Monitor>('POST', path, body(configOf(MAX_CONFIG_BYTES)));
  assertRefused(await app.alice.send('POST', path, body(configOf(MAX_CONFIG_BYTES + 1))), TOO_LARGE);
  const patched = await app.alice.send('PATCH', `/monitors/${monitor.id}`, {
    config: configOf(MAX_CONFIG_BYTES + 1),
  });
  assertRefused(patched, TOO_LARGE);
});

test('secrets count with their encrypted length', async () => {
  const headers = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`x-${i}`, 'a'.repeat(8000)]));
  await app.alice.ok('POST', path, body({ url, headers }));
  const secret = { url, headers, secret_headers: Object.keys(headers) };
  assertRefused(await app.alice.send('POST', path, body(secret)), TOO_LARGE);
});

test('a test of a config too large to store is refused', async () => {
  await app.probe().assignments();
  const given = { type: 'http', config: configOf(MAX_CONFIG_BYTES + 1) };
  assertRefused(
    await app.alice.send('POST', `/projects/${app.home.projectId}/monitor-tests`, given),
    TOO_LARGE,
  );
});

test('a file with a larger config is not imported', () => {
  const monitor = {
    id: newId('mon'),
    type: 'http',
    interval_seconds: 60,
    regions: ['local'],
    config: configOf(MAX_CONFIG_BYTES + 1),
    policy: {},
    alarm_gate: null,
  };
  assert.throws(
    () => validMonitor(monitor as never, app.vault),
    (error) => error instanceof Refusal && error.details.limit === MAX_CONFIG_BYTES,
  );
});

test('a larger config from before the limit can be renamed, but not grow', async () => {
  const monitor = await app.alice.ok<Monitor>('POST', path, body({ url }));
  const config = JSON.stringify(configOf(MAX_CONFIG_BYTES + 1));
  await app.db.updateTable('monitors').set({ config }).where('id', '=', monitor.id).execute();
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { name: 'Large' });
  assertRefused(
    await app.alice.send('PATCH', `/monitors/${monitor.id}`, { config: { method: 'HEAD' } }),
    TOO_LARGE,
  );
});
