// What goes on while versions change: results and outages by probes, requests of people, and a live stream.
import { setTimeout as pause } from 'node:timers/promises';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Result, ResultsReply } from '#src/probe-protocol/contract.ts';
import { type Client, makeClient } from '../harness/client.ts';
import { resultOf } from '../harness/probe.ts';

/** What went on until it was stopped; `stop` resolves when nothing of it is under way. */
export type Going<T> = { soFar: T; stop: () => Promise<void> };

const STEADY_EVERY_MS = 40;
const STEADY_BATCH = 50;
const CYCLE_EVERY_MS = 250;
const REQUEST_EVERY_MS = 20;
const AGAIN_MS = 100;

/** Runs `turn` again and again until it is stopped; an error of a turn is thrown by `stop`. */
function repeat<T>(soFar: T, turn: () => Promise<void>, everyMs: number): Going<T> {
  let stopped = false;
  const loop = (async () => {
    while (!stopped) {
      const dueMs = performance.now() + everyMs;
      await turn();
      await pause(Math.max(0, dueMs - performance.now()));
    }
  })();
  loop.catch(() => undefined); // thrown by stop
  return {
    soFar,
    async stop() {
      stopped = true;
      await loop;
    },
  };
}

/** Posts results until they are acknowledged, as a probe does; the front counts what else they were answered. */
export function makePoster(url: string, token: string): (results: readonly Result[]) => Promise<void> {
  const client = makeClient(url);
  const headers = { authorization: `Bearer ${token}` };
  return async (results) => {
    for (;;) {
      const answer = await client
        .send<ResultsReply>('POST', '/probe/results', { probe_id: 'load', results }, headers)
        .catch(() => null);
      if (answer?.status === 200) {
        const { accepted, duplicates } = answer.body;
        if (accepted + duplicates === results.length) return;
        throw new Error(`of ${results.length} results ${JSON.stringify(answer.body)}`);
      }
      if (answer && answer.status < 500)
        throw new Error(`results were answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      await pause(AGAIN_MS);
    }
  };
}

/** Passing results of monitors in turn; notes each one that was acknowledged, by monitor and time. */
export function reportSteady(
  post: (results: readonly Result[]) => Promise<void>,
  monitors: readonly Monitor[],
): Going<Set<string>> {
  const acknowledged = new Set<string>();
  let next = 0;
  let lastMs = 0;
  return repeat(
    acknowledged,
    async () => {
      lastMs = Math.max(lastMs + 1, Date.now() - 1_000);
      const results = Array.from({ length: STEADY_BATCH }, () => {
        const monitor = monitors[next++ % monitors.length]!;
        if (next % monitors.length === 0) lastMs += 1;
        return resultOf(monitor.id, lastMs, 'up');
      });
      await post(results);
      for (const { monitor_id, checked_at_ms } of results) acknowledged.add(`${monitor_id} ${checked_at_ms}`);
    },
    STEADY_EVERY_MS,
  );
}

export type Outages = {
  /** By monitor: how many outages were reported from beginning to end. */
  cycles: Map<string, number>;
  acknowledged: Set<string>;
};

/** Each monitor fails three times and passes three times, again and again; stops at the end of an outage. */
export function reportOutages(
  post: (results: readonly Result[]) => Promise<void>,
  monitors: readonly Monitor[],
): Going<Outages> {
  const soFar: Outages = { cycles: new Map(), acknowledged: new Set() };
  let lastMs = 0;
  return repeat(
    soFar,
    async () => {
      for (const status of ['down', 'down', 'down', 'up', 'up', 'up'] as const) {
        lastMs = Math.max(lastMs + 1, Date.now());
        const results = monitors.map(({ id }) => resultOf(id, lastMs, status));
        await post(results);
        for (const { monitor_id, checked_at_ms } of results)
          soFar.acknowledged.add(`${monitor_id} ${checked_at_ms}`);
        await pause(CYCLE_EVERY_MS);
      }
      for (const { id } of monitors) soFar.cycles.set(id, (soFar.cycles.get(id) ?? 0) + 1);
    },
    CYCLE_EVERY_MS,
  );
}

export type Place = { orgId: string; projectId: string; monitors: readonly Monitor[] };

/** What people and scripts ask for, and change, one request after the other. */
export function askForPages(client: Client, { orgId, projectId, monitors }: Place): Going<{ asked: number }> {
  const soFar = { asked: 0 };
  const monitor = () => monitors[soFar.asked % monitors.length]!.id;
  const turns: (() => [method: string, path: string, body?: object])[] = [
    () => ['GET', `/monitors/${monitor()}`],
    () => ['GET', `/projects/${projectId}/monitors`],
    () => ['GET', `/organizations/${orgId}/incidents`],
    () => ['GET', `/monitors/${monitor()}/series?range=1d`],
    () => ['PATCH', `/monitors/${monitor()}`, { name: `Renamed ${soFar.asked}` }],
    () => ['GET', '/me/organizations'],
  ];
  return repeat(
    soFar,
    async () => {
      const [method, path, body] = turns[soFar.asked % turns.length]!();
      // Whatever it is answered, the front has counted it.
      await client.send(method, path, body).catch(() => undefined);
      soFar.asked += 1;
    },
    REQUEST_EVERY_MS,
  );
}

/** Asks a server itself whether it is ready; notes every other answer than 200. */
export function watchReadiness(name: string, url: string): Going<{ asked: number; unready: string[] }> {
  const soFar = { asked: 0, unready: [] as string[] };
  return repeat(
    soFar,
    async () => {
      const answer = await fetch(`${url}/readyz`).catch((error: Error) => error);
      soFar.asked += 1;
      if (answer instanceof Error) soFar.unready.push(`${name}: ${answer.message}`);
      else if (answer.status === 200) await answer.arrayBuffer();
      else soFar.unready.push(`${name} answered ${answer.status}: ${await answer.text()}`);
    },
    AGAIN_MS,
  );
}
