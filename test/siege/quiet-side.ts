// The quiet side of an attack: an organization with one monitor, one receiver and one dashboard, and the effects on it.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Client, makeClient } from '../harness/client.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { until } from '../harness/until.ts';
import { WHOLE } from './scale.ts';

export type Place = { orgId: string; projectId: string };

/** The effects on the quiet side while it listened; times in milliseconds. */
export type Noticed = {
  /** From the deciding check to the webhook, 99th percentile. */
  alarm: number;
  /** The lateness of the latest check. */
  late: number;
  /** 99th percentile of the dashboard's requests. */
  page: number;
  /** Requests with another answer than 200. */
  refused: string[];
  /** All of it, in words. */
  words: string;
};

/** Scheduled checks, one a second, are further apart than this. */
const APART_MS = 500;

const nowMs = () => performance.timeOrigin + performance.now();

/** An installation with alice, who has the quiet organization, and mallory, who is only in her own. */
export async function startBothSides(stack: AsyncDisposableStack) {
  const installation = await startInstallation();
  stack.defer(() => installation.remove());
  const alice = await installation.admin();
  const quiet = await ownPlace(alice);
  return { installation, alice, quiet, mallory: await invited(installation.url, alice, quiet.orgId) };
}

/** Runs a program of this folder with an order; returns its first message. */
export async function startNoisySide<Report>(
  stack: AsyncDisposableStack,
  program: string,
  order: object,
): Promise<Report> {
  const child = fork(join(import.meta.dirname, program));
  stack.defer(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  child.send(order);
  const [report] = (await once(child, 'message')) as [Report];
  return report;
}

/** No request was refused and the server is alive; in the whole attack, alarms, checks and pages are in time as well. */
export function assertUnharmed(t: TestContext, installation: Installation, noticed: Noticed): void {
  t.diagnostic(noticed.words);
  assert.deepEqual(noticed.refused, [], 'every page was answered');
  assert.equal(installation.process.exitCode, null);
  if (!WHOLE) return;
  assert.ok(noticed.alarm < 500, `check to webhook: ${noticed.alarm} ms`);
  assert.ok(noticed.late < 1_000, `a check came ${noticed.late} ms late`);
  assert.ok(noticed.page < 300, `a page took ${noticed.page} ms`);
}

/** Starts the quiet world; `listen` forgets the past, and returns the effects of the next seconds. */
export async function startQuietSide(stack: AsyncDisposableStack, alice: Client, place: Place) {
  const watched = await watchedWorld(stack, alice, place);
  return {
    async listen(seconds: number): Promise<Noticed> {
      watched.clear();
      const pages = await readPages(alice, place, watched.monitor, seconds);
      await until(() => watched.alarmsMs.length >= 2, 'the quiet organization is told of its outages');
      const { alarmsMs, gapsMs } = watched;
      const alarm = quantile(alarmsMs, 0.99);
      const late = Math.max(...gapsMs) - 1_000;
      const page = quantile(pages.tookMs, 0.99);
      const words =
        `check to webhook p99 ${alarm.toFixed(0)} ms (${alarmsMs.length}), checks late by at most ` +
        `${late.toFixed(0)} ms (${gapsMs.length}), pages p99 ${page.toFixed(0)} ms (${pages.tookMs.length})`;
      return { alarm, late, page, refused: pages.refused, words };
    },
  };
}

async function ownPlace(client: Client): Promise<Place> {
  const [organization] = await client.ok<{ id: string }[]>('GET', '/me/organizations');
  const orgId = organization!.id;
  const [project] = await client.ok<{ id: string }[]>('GET', `/organizations/${orgId}/projects`);
  return { orgId, projectId: project!.id };
}

/** Another person of the installation, who is only in her own organization. */
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

export async function newPlace(client: Client, name = 'Noisy'): Promise<Place> {
  const { id: orgId } = await client.ok<{ id: string }>('POST', '/organizations', { name });
  const path = `/organizations/${orgId}/projects`;
  const { id: projectId } = await client.ok<{ id: string }>('POST', path, { name: 'Noise' });
  return { orgId, projectId };
}

/** A server that fails twice and passes twice in turn, a monitor that checks it each second, and its receiver. */
async function watchedWorld(stack: AsyncDisposableStack, alice: Client, { orgId, projectId }: Place) {
  const state = { alarmsMs: [] as number[], gapsMs: [] as number[] };
  const deciding: { opened: number[]; resolved: number[] } = { opened: [], resolved: [] };
  let answers = 0;
  let lastMs: number | null = null;
  const target = createServer((_asked, answer) => {
    const atMs = nowMs();
    // The look at the target when an incident opens is no scheduled check, and gets the answer of the one before.
    const isCheck = lastMs === null || atMs - lastMs >= APART_MS;
    if (isCheck) answers += 1;
    const place = (answers - 1) % 4;
    answer.writeHead(place < 2 ? 503 : 200).end();
    if (!isCheck) return;
    if (lastMs !== null) state.gapsMs.push(atMs - lastMs);
    lastMs = atMs;
    if (place % 2 === 1) deciding[place === 1 ? 'opened' : 'resolved'].push(nowMs());
  });
  const receiver = createServer(async (asked, answer) => {
    // About the last deciding answer: the next one comes a whole turn later. A check that was void decided nothing.
    const decidedMs = deciding[asked.headers['x-service-event'] as 'opened' | 'resolved'].splice(0).at(-1);
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

/** The requests of a dashboard, four in turn, five times a second. */
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

export async function serve(stack: AsyncDisposableStack, server: Server): Promise<string> {
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
