// A probe that checks nothing: it reports the test's results, over the probe protocol.
import type { Assignments, Result, ResultsReply } from '#src/probe-protocol/contract.ts';
import { type Answer, makeClient } from './client.ts';

export type Said = Pick<Result, 'status'> & Partial<Result>;

export type Probe = {
  token: string;
  /** Posts results as they are; never throws for a status. */
  post: (results: readonly unknown[]) => Promise<Answer<ResultsReply>>;
  /** Posts one result of a monitor, checked now by default. */
  says: (monitorId: string, said: Said | Said['status']) => Promise<ResultsReply>;
  assignments: (query?: Ask) => Promise<Assignments>;
  /** The same request, whatever the answer. */
  ask: (query?: Ask) => Promise<Answer<Assignments>>;
  /** It stops: the others take over. */
  leave: () => Promise<boolean>;
  /** Another probe of the region, with the same token. */
  named: (id: string) => Probe;
};

type Ask = { since?: number; wait?: number; epoch?: string; clock_ms?: number };

const FAILED = {
  response_code: 503,
  failure_class: 'http_status',
  cause_layer: 'target_http',
  detail: 'status 503',
} as const;

/** A complete result, as of a failing or passing http check. */
export function resultOf(monitorId: string, atMs: number, said: Said | Said['status']): Result {
  const given = typeof said === 'string' ? { status: said } : said;
  const usual = given.status === 'down' ? FAILED : { response_code: 200, latency_ms: 20 };
  return { monitor_id: monitorId, checked_at_ms: atMs, ...usual, ...given };
}

/** A probe of the token's region. */
export function makeProbe(url: string, token: string, clock: { ms: () => number }, id = 'probe-1'): Probe {
  const client = makeClient(url);
  const headers = { authorization: `Bearer ${token}` };
  const post: Probe['post'] = (results) =>
    client.send('POST', '/probe/results', { probe_id: id, results }, headers);
  const ask: Probe['ask'] = (query = {}) => {
    const given = new URLSearchParams({ probe_id: id });
    for (const [name, value] of Object.entries(query)) given.set(name, String(value));
    return client.send('GET', `/probe/assignments?${given}`, undefined, headers);
  };
  return {
    token,
    post,
    async says(monitorId, said) {
      const answer = await post([resultOf(monitorId, clock.ms(), said)]);
      if (answer.status !== 200)
        throw new Error(`results answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    ask,
    named: (other) => makeProbe(url, token, clock, other),
    async leave() {
      const answer = await client.send<{ left: boolean }>('POST', '/probe/leave', { probe_id: id }, headers);
      return answer.body.left;
    },
    async assignments(query = {}) {
      const answer = await ask(query);
      if (answer.status !== 200)
        throw new Error(`assignments answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
  };
}
