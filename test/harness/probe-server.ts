// The server's side of the probe protocol (docs/rules/regions-and-probes.md#assignments,
// docs/rules/regions-and-probes.md#results-protocol), small and misbehaving on demand.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { Assignment, Assignments, Judgement, Observed, Result } from '#src/probe-protocol/contract.ts';
import { httpServer } from './listeners.ts';

export type TestOutcome = { test_id: string; observed: Observed; judgements: Judgement[] };

export type ProbeServer = {
  url: string;
  /** The stored results, once by (monitor, checked_at), in the order of arrival. */
  stored: Result[];
  /** Sizes of the posts it accepted. */
  posts: number[];
  /** Paths with queries, and the credential, of every request. */
  requests: { path: string; authorization: string | undefined }[];
  /** Replaces the answer to requests while set; called with the method. Returning false answers as usual. */
  misbehave: ((response: ServerResponse, method: string, body: string) => boolean) | undefined;
  /** Per result: an error to refuse it with. */
  refuse: ((result: Result) => string | undefined) | undefined;
  serverTimeMs: () => number;
  epoch: string;
  canaries: string[];
  /** Outcomes of tests, as the probe posted them. */
  outcomes: TestOutcome[];
  /** Wakes waiting probes with a change. */
  announce(change: Partial<Pick<Assignments, 'full' | 'monitors' | 'removed' | 'tests'>>): void;
  /** Resolves once `met` holds; checked after each request. */
  until(met: () => boolean): Promise<void>;
};

export async function probeServer(t: TestContext, monitors: Assignment[] = []): Promise<ProbeServer> {
  const keys = new Set<string>();
  const watchers = new Set<() => void>();
  let revision = 1;
  let waiting: ServerResponse[] = [];
  const current = new Map(monitors.map((monitor) => [monitor.monitor_id, monitor]));

  const body = (change: Partial<Assignments>): Assignments => ({
    revision,
    full: false,
    server_time_ms: server.serverTimeMs(),
    allow_private_targets: true,
    monitors: [],
    removed: [],
    epoch: server.epoch,
    canaries: server.canaries,
    tests: [],
    ...change,
  });
  const json = (response: ServerResponse, value: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

  const processResults = (text: string, response: ServerResponse) => {
    const { results } = JSON.parse(text) as { results: Result[] };
    server.posts.push(results.length);
    const refused: { index: number; error: string }[] = [];
    let duplicates = 0;
    results.forEach((result, index) => {
      const error = server.refuse?.(result);
      const key = `${result.monitor_id} ${result.checked_at_ms}`;
      if (error !== undefined) refused.push({ index, error });
      else if (keys.has(key)) duplicates += 1;
      else {
        keys.add(key);
        server.stored.push(result);
      }
    });
    const accepted = results.length - duplicates - refused.length;
    json(response, { accepted, duplicates, ignored: 0, refused, server_time_ms: server.serverTimeMs() });
  };

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const url = new URL(incoming.url ?? '/', 'http://server');
    server.requests.push({ path: incoming.url ?? '', authorization: incoming.headers.authorization });
    if (!server.misbehave?.(response, incoming.method ?? '', text)) {
      if (url.pathname.endsWith('/probe/results')) processResults(text, response);
      else if (url.pathname.endsWith('/probe/leave')) json(response, { left: true });
      else if (url.pathname.endsWith('/probe/test-results')) {
        server.outcomes.push(JSON.parse(text) as TestOutcome);
        json(response, { accepted: true });
      } else if (Number(url.searchParams.get('since') ?? -1) === revision) waiting.push(response);
      else json(response, body({ full: true, monitors: [...current.values()] }));
    }
    for (const look of watchers) look();
  };
  const port = await httpServer(
    t,
    (incoming, response) => void answer(incoming, response).catch(() => undefined),
  );

  const server: ProbeServer = {
    url: `http://127.0.0.1:${port}`,
    stored: [],
    posts: [],
    requests: [],
    misbehave: undefined,
    refuse: undefined,
    serverTimeMs: () => Date.now(),
    epoch: 'one',
    canaries: [],
    outcomes: [],
    announce(change) {
      revision += 1;
      for (const monitor of change.monitors ?? []) current.set(monitor.monitor_id, monitor);
      for (const id of change.removed ?? []) current.delete(id);
      const answered = waiting;
      waiting = [];
      for (const response of answered) json(response, body(change));
    },
    until: (met) =>
      new Promise((resolve) => {
        const look = () => {
          if (!met()) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
  };
  return server;
}
