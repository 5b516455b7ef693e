import type { Log } from '../probe/log.ts';
import type { Enrolled, Enrollment } from '../src/agents/protocol-contract.ts';
import { type Answer, exchange, openConnections } from './exchange.ts';
import { isRecord } from './heartbeat.ts';
import { type Reply, readEnrolled, readReply } from './reply.ts';

/** The outcome of a request to the server, by what the agent does next. */
export type Outcome<Value> =
  /** `sentAtMs` and `receivedAtMs`: monotonic. */
  | { kind: 'ok'; value: Value; sentAtMs: number; receivedAtMs: number }
  /** Not now: try again, after at least this long. */
  | { kind: 'later'; retryAfterMs: number; message: string }
  /** Never: the server does not accept this request. */
  | { kind: 'refused'; status: number; message: string }
  /** The server does not know this credential or token. */
  | { kind: 'unknown'; message: string };

export type Link = {
  enrol(enrollment: Enrollment): Promise<Outcome<Enrolled>>;
  /** Posts a body made by post.ts. */
  heartbeat(credential: string, body: string): Promise<Outcome<Reply>>;
  close(): void;
};

export type LinkOptions = {
  /** Base address of the server; a path in it is kept as a prefix. */
  url: string;
  log: Log;
  steadyNowMs: () => number;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
};

const TIMEOUT_MS = 20_000;

/** The connection of an agent to its server; each problem is logged once. */
export function openLink(options: LinkOptions): Link {
  const { log, steadyNowMs, signal, timeoutMs = TIMEOUT_MS } = options;
  const base = new URL(options.url);
  const connections = openConnections(base.protocol === 'https:');
  let trouble = '';

  const logOnce = (what: string, sentence: string) => {
    if (trouble !== what) log(what === 'away' ? 'warn' : 'error', sentence, { url: base.origin });
    trouble = what;
  };

  async function call<Value>(
    path: string,
    body: string,
    credential: string | undefined,
    read: (body: unknown) => Value | undefined,
  ): Promise<Outcome<Value>> {
    const sentAtMs = steadyNowMs();
    let answer: Answer;
    try {
      const url = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base);
      const headers: Record<string, string> =
        credential === undefined ? {} : { authorization: `Bearer ${credential}` };
      answer = await exchange({ url, method: 'POST', body, headers, connections, timeoutMs, signal });
    } catch (error) {
      const why = error instanceof Error ? error.message || error.name : 'unknown reason';
      const message = `The server cannot be reached (${why}).`;
      if (!signal?.aborted) logOnce('away', `${message} Heartbeats are kept and sent when it is back`);
      return { kind: 'later', retryAfterMs: 0, message };
    }
    const outcome = judge(answer, read);
    if (outcome.kind !== 'ok') return outcome;
    if (trouble !== '') log('info', 'The server answers again', { url: base.origin });
    trouble = '';
    return { ...outcome, sentAtMs, receivedAtMs: steadyNowMs() };
  }

  function judge<Value>(answer: Answer, read: (body: unknown) => Value | undefined) {
    const { status } = answer;
    const body = parse(answer.text);
    if (status === 200) {
      const value = read(body);
      if (value !== undefined) return { kind: 'ok' as const, value };
    }
    const said = saidIn(body);
    if (status === 401 && said !== null) return { kind: 'unknown' as const, message: said };
    const retryAfterMs = Math.max(0, Number(answer.retryAfter ?? 0) * 1000) || 0;
    const isRefusal = status >= 400 && status < 500 && ![404, 408, 429].includes(status);
    if (isRefusal && said !== null) return { kind: 'refused' as const, status, message: said };
    if (isRefusal || status === 200 || status === 404 || (status >= 300 && status < 400)) {
      const message = `No Tocsin server answers at ${base.href} (${status}): check --url, and any proxy before it.`;
      logOnce('foreign', message);
      return { kind: 'later' as const, retryAfterMs, message };
    }
    const message = `The server accepts no requests now (${status}).`;
    logOnce('away', `${message} Heartbeats are kept and sent when it does`);
    return { kind: 'later' as const, retryAfterMs, message };
  }

  return {
    enrol: (enrollment) => call('/agent/enroll', JSON.stringify(enrollment), undefined, readEnrolled),
    heartbeat: (credential, body) => call('/agent/heartbeat', body, credential, readReply),
    close: () => connections.destroy(),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A Tocsin server's reason for a refusal, on one line; null: a proxy or another program answered. */
function saidIn(body: unknown): string | null {
  if (!isRecord(body) || typeof body.error !== 'string' || typeof body.message !== 'string') return null;
  return body.message.replace(/\s+/g, ' ').slice(0, 300);
}
