// An organization whose pager answers with the status that the test says.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Delivery, WebhookTarget } from '#src/notifications/contract.ts';
import { startAppOfFile, type TestApp } from './app.ts';
import { closeAfterTests } from './database.ts';
import { resultOf } from './probe.ts';

/** `got`: the actions that arrived; `pages`: each with its page. `answers`: what an answer waits for. */
export type Pager = {
  status: number;
  got: string[];
  pages: string[];
  answers: Promise<void>;
  retryAfter: string;
};

/** Starts an application for all tests of a file, and its pager. */
export async function startPagedApp(): Promise<{ app: TestApp; pager: Pager }> {
  const pager: Pager = { status: 202, got: [], pages: [], answers: Promise.resolve(), retryAfter: '0' };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { event_action, dedup_key } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    pager.got.push(event_action);
    pager.pages.push(`${event_action} ${dedup_key}`);
    const { status } = pager;
    await pager.answers;
    response.writeHead(status, { 'retry-after': pager.retryAfter }).end('{"status":"success"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterTests(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { app: await startAppOfFile({ env: { PAGERDUTY_URL: url } }), pager };
}

const HOUR = 3600;
export type Quiet = 'a hold' | 'maintenance';

const EVENTS = ['opened', 'acknowledged', 'resolved', 'escalated'];

/**
 * An organization with this pager, subscribed to `events`, and monitors of one host: three of them fail as a storm. `onlyFirst`: a
 * filter leaves out all but the first.
 */
export async function makePagerScene(
  { app, pager }: { app: TestApp; pager: Pager },
  count: number,
  events: readonly string[] = EVENTS,
  onlyFirst = false,
) {
  const place = await app.place(app.alice, 'business');
  const url = (path: string) => `/organizations/${place.orgId}/${path}`;
  const target = await app.alice.ok<WebhookTarget>('POST', url('webhooks'), {
    name: 'Pager',
    kind: 'pagerduty',
    credential: '0123456789abcdef0123456789abcdef',
    events,
    ...(onlyFirst ? { min_severity: 'critical' } : {}),
  });
  const monitors: Monitor[] = [];
  for (let i = 0; i < count; i++)
    monitors.push(
      await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
        name: `Page ${i}`,
        type: 'http',
        config: { url: `https://shop.example.com/${i}` },
        interval_seconds: 10,
        severity: onlyFirst && i === 0 ? 'critical' : 'default',
      }),
    );
  Object.assign(pager, { status: 500, answers: Promise.resolve(), retryAfter: '0' });
  pager.got.length = 0;
  const incidents = () => app.alice.ok<IncidentSummary[]>('GET', url('incidents'));
  const hold = async (seconds: number) => {
    for (const { id } of await incidents())
      await app.alice.ok('POST', url(`incidents/${id}/hold`), { seconds });
  };
  async function maintain(some: readonly Monitor[]) {
    const start = Math.floor(app.clock.ms() / 1000);
    const { id } = await app.alice.ok<MaintenanceWindow>('POST', url('maintenance-windows'), {
      title: 'Upgrade',
      scheduled_start: start,
      scheduled_end: start + HOUR,
      monitors: some.map((monitor) => monitor.id),
    });
    return () => app.alice.ok('DELETE', url(`maintenance-windows/${id}`));
  }
  const s = {
    monitors,
    all: async (status: 'up' | 'down', some: readonly Monitor[] = monitors) => {
      for (let i = 0; i < 2; i++) {
        app.clock.advance(1000);
        await app.probe().post(some.map(({ id }) => resultOf(id, app.clock.ms(), status)));
      }
    },
    after: async (seconds: number) => {
      // What is under way keeps its lease: the clock must not run away from it.
      await app.runTask('deliver');
      app.clock.advance(seconds * 1000);
      await app.runTask('deliver');
    },
    /** Three attempts have failed, and the fourth comes within a minute. */
    waits: async () => {
      await s.all('down');
      await s.after(6);
      await s.after(19);
      assert.deepEqual(pager.got.splice(0), ['trigger', 'trigger', 'trigger']);
      pager.status = 202;
    },
    /** Begins it; returns what ends it. */
    quiet: async (how: Quiet, some = monitors) => {
      if (how === 'maintenance') return maintain(some);
      await hold(HOUR);
      return () => hold(0);
    },
    ack: async (most = Number.POSITIVE_INFINITY) => {
      for (const { id } of (await incidents()).slice(0, most))
        await app.alice.ok('POST', url(`incidents/${id}/ack`));
    },
    replay: (id: string) => app.alice.ok('POST', url(`webhooks/${target.id}/deliveries/${id}/replay`)),
    deliveries: () => app.alice.ok<Delivery[]>('GET', url(`webhooks/${target.id}/deliveries`)),
  };
  return s;
}
