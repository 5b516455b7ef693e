// One noisy and one quiet organization on one installation as a user starts it: the quiet one's alarms, checks and pages
// go on as if it were alone.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Monitor } from '../../src/monitors/contract.ts';
import { type Client, makeClient } from '../harness/client.ts';
import { startInstallation } from '../harness/installation.ts';
import { makeKeyHolder } from '../harness/keys.ts';
import { until } from '../harness/until.ts';
import type { NoiseOrder, NoiseReport } from './noise-process.ts';
import { scaled, WHOLE } from './scale.ts';

const HANG_SECONDS = scaled(4, 300);
const LISTEN_SECONDS = scaled(8, 90);
const TARPIT_MS = 14_000;
const STREAMS_OF_AN_ORGANIZATION = 50;
const nowMs = () => performance.timeOrigin + performance.now();

test('one organization at its worst does not delay the alarms, checks and pages of another', async (t) => {
  await using stack = new AsyncDisposableStack();
  const installation = await startInstallation();
  stack.defer(() => installation.remove());
  const alice = await installation.admin();
  const quiet = await ownPlace(alice);
  const mallory = await invited(installation.url, alice, quiet.orgId);
  const noisy = await newPlace(mallory);
  const scopes = ['monitors:write', 'incidents:write', 'webhooks:write', 'maintenance:write'] as const;
  const keys: string[] = [];
  for (let i = 0; i < scaled(4, 25); i++) {
    const asked = { scopes: [...scopes, 'organization:read' as const] };
    keys.push((await makeKeyHolder(installation, mallory, noisy.orgId, asked)).key);
  }
  const watched = await watchedWorld(stack, alice, quiet);
  const noise = await startNoise(stack, {
    url: installation.url,
    ...noisy,
    keys,
    hangingUrl: await serve(
      stack,
      createServer(() => undefined),
    ),
    tarpitUrl: await serve(
      stack,
      createServer((asked, answer) => {
        asked.resume();
        setTimeout(() => answer.writeHead(200).end(), TARPIT_MS).unref();
      }),
    ),
    monitors: scaled(30, 2_000),
    hangSeconds: HANG_SECONDS,
    targets: scaled(5, 40),
    notes: scaled(50, 1_000),
    streams: scaled(60, 500),
    bodies: scaled(1, 4),
  });
  assert.equal(noise.streamsOpen, STREAMS_OF_AN_ORGANIZATION, 'streams of one organization');
  if (WHOLE) await pause(HANG_SECONDS * 1000); // until all of its checks hang at the same time

  watched.clear();
  const pages = await readPages(alice, quiet, watched.monitor, LISTEN_SECONDS);
  await until(() => watched.alarmsMs.length >= 2, 'the quiet organization is told of its outages');
  const { alarmsMs, gapsMs } = watched;
  const figures = {
    alarm: quantile(alarmsMs, 0.99),
    late: Math.max(...gapsMs) - 1_000,
    page: quantile(pages.tookMs, 0.99),
  };
  t.diagnostic(
    `check to webhook p99 ${figures.alarm.toFixed(0)} ms (${alarmsMs.length}), checks late by at most ` +
      `${figures.late.toFixed(0)} ms (${gapsMs.length}), pages p99 ${figures.page.toFixed(0)} ms (${pages.tookMs.length})`,
  );
  assert.deepEqual(pages.refused, [], 'every page was answered');
  assert.equal(installation.process.exitCode, null);
  if (!WHOLE) return;
  assert.ok(figures.alarm < 500, `check to webhook: ${figures.alarm} ms`);
  assert.ok(figures.late < 1_000, `a check came ${figures.late} ms late`);
  assert.ok(figures.page < 300, `a page took ${figures.page} ms`);
});

type Place = { orgId: string; projectId: string };

async function ownPlace(client: Client): Promise<Place> {
  const [organization] = await client.ok<{ id: string }[]>('GET', '/me/organizations');
  const orgId = organization!.id;
  const [project] = await client.ok<{ id: string }[]>('GET', `/organizations/${orgId}/projects`);
  return { orgId, projectId: project!.id };
}

/** Another person of the installation, who is in no organization but her own. */
async function invited(url: string, alice: Client, orgId: string): Promise<Client> {
  const email = 'mallory@example.com';
  const { invite_token: token } = await alice.ok<{ invite_token: string }>(
    'POST',
    `/organizations/${orgId}/invitations`,
    { email, role: 'member' },
  );
  const mallory = makeClient(url);
  const person = { token, name: 'Mallory', password: 'a long enough password' };
  await mallory.ok('POST', '/auth/invitations/accept', person);
  const { user_id: id } = await mallory.ok<{ user_id: string }>('GET', '/me');
  await mallory.ok('DELETE', `/organizations/${orgId}/members/${id}`);
  return mallory;
}

async function newPlace(client: Client): Promise<Place> {
  const { id: orgId } = await client.ok<{ id: string }>('POST', '/organizations', { name: 'Noisy' });
  const path = `/organizations/${orgId}/projects`;
  const { id: projectId } = await client.ok<{ id: string }>('POST', path, { name: 'Noise' });
  return { orgId, projectId };
}

/** A server that fails twice and passes twice in turn, a monitor that looks each second, and who is told of it. */
async function watchedWorld(stack: AsyncDisposableStack, alice: Client, { orgId, projectId }: Place) {
  const state = { alarmsMs: [] as number[], gapsMs: [] as number[] };
  const deciding: { opened: number[]; resolved: number[] } = { opened: [], resolved: [] };
  let answers = 0;
  let lastMs: number | null = null;
  const target = createServer((_asked, answer) => {
    const place = answers++ % 4;
    const atMs = nowMs();
    if (lastMs !== null) state.gapsMs.push(atMs - lastMs);
    lastMs = atMs;
    answer.writeHead(place < 2 ? 503 : 200).end();
    if (place % 2 === 1) deciding[place === 1 ? 'opened' : 'resolved'].push(nowMs());
  });
  const receiver = createServer(async (asked, answer) => {
    const decidedMs = deciding[asked.headers['x-service-event'] as 'opened' | 'resolved'].shift();
    if (decidedMs !== undefined) state.alarmsMs.push(nowMs() - decidedMs);
    asked.resume();
    answer.writeHead(204).end();
  });
  await alice.ok('POST', `/organizations/${orgId}/webhooks`, {
    name: 'Receiver',
    kind: 'webhook',
    url: await serve(stack, receiver),
    events: ['opened', 'resolved'],
  });
  const monitor = await alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    name: 'Quiet',
    type: 'http',
    config: { url: await serve(stack, target) },
    interval_seconds: 1,
  });
  const clear = () => {
    state.alarmsMs.length = 0;
    state.gapsMs.length = 0;
  };
  return Object.assign(state, { monitor, clear });
}

async function startNoise(stack: AsyncDisposableStack, order: NoiseOrder): Promise<NoiseReport> {
  const child = fork(join(import.meta.dirname, 'noise-process.ts'));
  stack.defer(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  child.send(order);
  const [report] = (await once(child, 'message')) as [NoiseReport];
  return report;
}

/** What a dashboard asks for, four requests in turn, five times a second. */
async function readPages(alice: Client, { orgId, projectId }: Place, { id }: Monitor, seconds: number) {
  const tookMs: number[] = [];
  const refused: string[] = [];
  const paths = [
    `/monitors/${id}`,
    `/projects/${projectId}/monitors`,
    `/organizations/${orgId}/incidents?status=all`,
    `/monitors/${id}/series?range=90d`,
  ];
  const endMs = nowMs() + seconds * 1000;
  for (let i = 0; nowMs() < endMs; i++) {
    const path = paths[i % paths.length]!;
    const startMs = nowMs();
    const { status } = await alice.send('GET', path);
    tookMs.push(nowMs() - startMs);
    if (status !== 200) refused.push(`${path} answered ${status}`);
    await pause(200);
  }
  return { tookMs, refused };
}

async function serve(stack: AsyncDisposableStack, server: Server): Promise<string> {
  server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  await once(server, 'listening');
  stack.defer(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function quantile(list: readonly number[], share: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
