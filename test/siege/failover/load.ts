// Results at a steady rate, as probes deliver them: in the order of their checks, each batch until it is acknowledged.
import { setTimeout as pause } from 'node:timers/promises';
import type { ResultsReply } from '#src/probe-protocol/contract.ts';
import { makeClient } from '#test/harness/client.ts';
import { resultOf } from '#test/harness/probe.ts';

/** Each delivers for its own monitors. */
const SENDERS = 8;
/** A probe gives up a post after the same time. */
const POST_WITHIN_MS = 15_000;

export type Load = {
  /** By the time of a batch, which is unique: the number of its acknowledged results. */
  acknowledged: Map<number, number>;
  /** The times of acknowledgements, in order; milliseconds of the epoch. */
  acknowledgedAtMs: number[];
  /** Answers other than an acknowledgement or 503. */
  refused: string[];
  /** Reports from now on that this monitor fails, or passes again. */
  say: (monitorId: string, status: 'up' | 'down') => void;
  /** Resolves once everything sent was acknowledged. */
  stop: () => Promise<void>;
};

/** Starts it over all `urls`; `rate` in results a second. */
export function startLoad(given: {
  urls: readonly string[];
  token: string;
  monitorIds: readonly string[];
  rate: number;
}): Load {
  const { urls, token, monitorIds, rate } = given;
  const clients = urls.map((url) => makeClient(url));
  const failing = new Set<string>();
  const acknowledged = new Map<number, number>();
  const acknowledgedAtMs: number[] = [];
  const refused: string[] = [];
  const headers = { authorization: `Bearer ${token}` };
  let lastMs = 0;
  let stopped = false;

  const post = (client: (typeof clients)[number], body: object) =>
    Promise.race([
      client.send<ResultsReply>('POST', '/probe/results', body, headers),
      pause(POST_WITHIN_MS, null, { ref: false }),
    ]).catch(() => null);

  async function sender(no: number): Promise<void> {
    const own = monitorIds.filter((_, i) => i % SENDERS === no);
    const everyMs = (own.length * SENDERS * 1000) / rate;
    let dueMs = performance.now() + (everyMs * no) / SENDERS;
    let turn = no;
    while (!stopped) {
      await pause(Math.max(0, dueMs - performance.now()));
      // After an outage it goes on at its rate: checks that were not made are not made up for.
      dueMs = Math.max(dueMs + everyMs, performance.now());
      lastMs = Math.max(lastMs + 1, Date.now());
      const atMs = lastMs;
      const results = own.map((id) => resultOf(id, atMs, failing.has(id) ? 'down' : 'up'));
      for (;;) {
        const answer = await post(clients[turn++ % clients.length]!, { probe_id: 'sender', results });
        if (answer?.status === 200) {
          acknowledged.set(atMs, answer.body.accepted + answer.body.duplicates);
          acknowledgedAtMs.push(Date.now());
          break;
        }
        if (answer !== null && answer.status !== 503)
          refused.push(`${answer.status} ${JSON.stringify(answer.body)}`);
        await pause(100);
      }
    }
  }

  const senders = Promise.all(Array.from({ length: SENDERS }, (_, no) => sender(no)));
  senders.catch(() => undefined); // reported by the caller of stop
  return {
    ...{ acknowledged, acknowledgedAtMs, refused },
    say(monitorId, status) {
      if (status === 'down') failing.add(monitorId);
      else failing.delete(monitorId);
    },
    async stop() {
      stopped = true;
      await senders;
    },
  };
}

/** The longest time without an acknowledgement from `sinceMs` on, and its end: both in seconds after it. */
export function longestSilence(
  atMs: readonly number[],
  sinceMs: number,
): { seconds: number; overAfter: number } {
  let before = sinceMs;
  let found = { seconds: 0, overAfter: 0 };
  for (const ms of atMs) {
    if (ms < sinceMs) continue;
    const seconds = (ms - before) / 1000;
    if (seconds > found.seconds) found = { seconds, overAfter: (ms - sinceMs) / 1000 };
    before = ms;
  }
  return found;
}
