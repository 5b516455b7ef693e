// One organization's expressions against the monitors of another at the same probe.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startProbe } from '#probe/start.ts';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { Assignment } from '#src/probe-protocol/contract.ts';
import { httpConfig } from '../harness/http-check.ts';
import { httpServer } from '../harness/listeners.ts';
import { type ProbeServer, probeServer } from '../harness/probe-server.ts';
import { scaled } from './scale.ts';

/** 15 KB of letters in a header, 4 MiB of one letter as a body, or just a good answer. */
async function target(t: TestContext): Promise<string> {
  // The slow pattern matches at the very end: each of fifty holds, so that none of them spares the next.
  const longText = `${'a'.repeat(15_000)}!`;
  const large = JSON.stringify({ t: 'a'.repeat(4_194_304 - 100) });
  const port = await httpServer(t, ({ url }, response) => {
    if (url === '/header') response.setHeader('x-text', longText);
    response.end(url === '/large' ? large : 'ok');
  });
  return `http://127.0.0.1:${port}`;
}

const monitor = (
  monitor_id: string,
  organization_id: string,
  config: Partial<HttpConfig> & { url: string },
): Assignment => ({
  monitor_id,
  organization_id,
  type: 'http',
  config: httpConfig({ timeout_ms: 4_000, degraded_after_ms: 2_000, ...config }),
  interval_seconds: 1,
  offset_ms: 0,
});

async function probeOf(t: TestContext, server: ProbeServer): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'siege-probe-'));
  const probe = await startProbe({ url: server.url, token: 'tok', dataDir, log: () => undefined });
  t.after(async () => {
    await probe.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
}

const of = (server: ProbeServer, id: string) => server.stored.filter(({ monitor_id }) => monitor_id === id);

/** The other organization's monitor goes on: every second, up, and with the target's own latency. */
async function goesOn(server: ProbeServer, id: string): Promise<void> {
  const before = of(server, id).length;
  const wanted = scaled(3, 20);
  await server.until(() => of(server, id).length >= before + wanted);
  const seen = of(server, id).slice(before, before + wanted);
  for (const { status, failure_class } of seen) assert.deepEqual([status, failure_class], ['up', undefined]);
  const [first, last] = [seen[0]!.checked_at_ms, seen.at(-1)!.checked_at_ms];
  assert.ok(last - first < (2 * wanted + 3) * 1_000, `${wanted} checks took ${last - first} ms`);
}

const SLOW = '(?i)(?:\\pL?){900}[!n]';
const slowHeaders = Array.from({ length: 50 }, () => ({
  name: 'X-Text',
  op: 'matches' as const,
  value: SLOW,
}));

test('fifty slow header assertions stop no other organization’s checks, and are gone within seconds once deleted', async (t) => {
  const url = await target(t);
  const server = await probeServer(t, [monitor('quiet', 'quiet', { url: `${url}/` })]);
  await probeOf(t, server);
  await server.until(() => of(server, 'quiet').length > 0);
  server.announce({
    monitors: [monitor('noisy', 'noisy', { url: `${url}/header`, header_assertions: slowHeaders })],
  });
  await server.until(() => of(server, 'noisy').length > 0);
  const [reported] = of(server, 'noisy');
  assert.deepEqual([reported?.failure_class, reported?.cause_layer], ['assertion_timeout', 'probe']);
  assert.match(
    reported?.detail ?? '',
    /config\.header_assertions\.\d+ \(X-Text matching .* took longer than/,
  );
  await goesOn(server, 'quiet');
  server.announce({ removed: ['noisy'] });
  const [deleted, quiet] = [of(server, 'noisy').length, of(server, 'quiet').length];
  await server.until(() => of(server, 'quiet').length >= quiet + 4);
  // A result that was on its way to the server at the deletion may still arrive.
  assert.ok(of(server, 'noisy').length <= deleted + 1);
});

test('four monitors with slow patterns leave another organization’s monitor up, with its own latency', async (t) => {
  const url = await target(t);
  const slow = Array.from({ length: 4 }, (_, i) =>
    monitor(`noisy${i}`, 'noisy', {
      url: `${url}/large`,
      max_body_bytes: 4_194_304,
      keyword: { text: SLOW, mode: 'regex', case_sensitive: false },
    }),
  );
  const quiet = monitor('quiet', 'quiet', {
    url: `${url}/`,
    keyword: { text: '^o.$', mode: 'regex', case_sensitive: false },
  });
  const server = await probeServer(t, [...slow, quiet]);
  await probeOf(t, server);
  await server.until(() => of(server, 'noisy0').length > 0);
  await goesOn(server, 'quiet');
  for (const { monitor_id, status, cause_layer } of server.stored)
    if (monitor_id !== 'quiet') assert.deepEqual([status, cause_layer], ['down', 'probe']);
});

test('a value of 40,001 characters on a text of 4 MiB delays nobody, in a check or a test', async (t) => {
  const url = await target(t);
  const config = {
    url: `${url}/large`,
    max_body_bytes: 4_194_304,
    json_assertions: [{ path: '$.t', op: 'contains' as const, value: `b${'a'.repeat(40_000)}` }],
  };
  const server = await probeServer(t, [
    monitor('quiet', 'quiet', { url: `${url}/` }),
    monitor('noisy', 'noisy', config),
  ]);
  await probeOf(t, server);
  await server.until(() => of(server, 'noisy').length > 0 && of(server, 'quiet').length > 0);
  const asked = { type: 'http', organization_id: 'noisy', config: httpConfig(config) };
  server.announce({ tests: Array.from({ length: 3 }, (_, i) => ({ test_id: `tst_${i}`, ...asked })) });
  await goesOn(server, 'quiet');
  await server.until(() => server.outcomes.length === 3);
});
