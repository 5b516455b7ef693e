// A job that calls: pings a heartbeat monitor at its address, and lets time pass as a server would see it.
import assert from 'node:assert/strict';
import type { CheckRecord } from '#src/checks/contract.ts';
import type { HeartbeatStatus } from '#src/heartbeats/contract.ts';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { TestApp } from './app.ts';

export type Pinged = {
  monitor: Monitor;
  /** `path` after the token: '', '/start', '/fail', '/3', '?rid=a'. Throws unless the answer is OK. */
  ping: (path?: string, init?: RequestInit) => Promise<void>;
  /** Of `ping_url`, at the address where the test's server listens. */
  url: (path?: string) => string;
  read: () => Promise<Monitor>;
  status: () => Promise<HeartbeatStatus>;
  incidents: () => Promise<IncidentSummary[]>;
  /** Newest first. */
  checks: () => Promise<CheckRecord[]>;
};

let made = 0;

export async function makeHeartbeat(
  app: TestApp,
  projectId: string,
  config: object,
  fields: object = {},
): Promise<Pinged> {
  made += 1;
  const body = { name: `Heartbeat ${made}`, type: 'heartbeat', config, ...fields };
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body);
  const of = `/monitors/${monitor.id}`;
  const { pathname } = new URL((monitor.config as { ping_url: string }).ping_url);
  const url = (path = '') => `${app.url}${pathname}${path}`;
  return {
    monitor,
    url,
    async ping(path = '', init) {
      const answer = await fetch(url(path), init);
      const text = await answer.text();
      assert.deepEqual([answer.status, text], [200, init?.method === 'HEAD' ? '' : 'OK']);
    },
    read: () => app.alice.ok('GET', of),
    status: () => app.alice.ok('GET', `${of}/heartbeat`),
    incidents: () => app.alice.ok('GET', `${of}/incidents`),
    checks: () => app.alice.ok('GET', `${of}/checks`),
  };
}

export const every = (seconds: number) => ({ kind: 'period', period_seconds: seconds });

/** Lets seconds pass, one by one, with a server that checks in each of them. */
export async function pass(app: TestApp, seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    app.clock.advance(1000);
    await app.runTask('heartbeats');
  }
}

/** Lets time pass and checks once, at its end. */
export async function jump(app: TestApp, seconds: number): Promise<void> {
  app.clock.advance(seconds * 1000);
  await app.runTask('heartbeats');
}
