import type { IncomingMessage, RequestOptions } from 'node:http';
import { http } from '../src/platform/outbound/node-http.ts';
import type { Log } from './log.ts';

/** The outcome of a request to the server, by what the probe does next. */
export type Outcome =
  | { kind: 'ok'; body: unknown; sentAtMs: number; receivedAtMs: number }
  /** Not now: try again, after at least this long. */
  | { kind: 'unavailable'; waitMs: number }
  /** Never: the server does not accept this request. */
  | { kind: 'refused'; status: number; message: string };

export type LinkOptions = {
  /** Base address of the server; a path in it is kept as a prefix. */
  url: string;
  token: string;
  log: Log;
  localNowMs: () => number;
  /** Called with the address that each request went to. */
  onPeer?: ((address: string) => void) | undefined;
  /** Wait before asking again after a refused token or a foreign server. */
  slowRetryMs?: number | undefined;
};

export type Call = {
  method: 'GET' | 'POST';
  path: string;
  body?: string | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Whether a body of 200 is the server's answer; absent: any JSON is. */
  isAnswer?: ((body: unknown) => boolean) | undefined;
};

export type Link = { call(call: Call): Promise<Outcome>; close(): void };

const SLOW_RETRY_MS = 30_000;
/** The server's Retry-After is honoured up to this: a probe that stays away longer is considered dead. */
const LONGEST_RETRY_AFTER_MS = 5_000;
/** The server answers in pages of 4 MiB; a single large config from an old version, and ten tests, may be added to that. */
const LARGEST_REPLY = 16 * 1024 * 1024;

/** The connection of a probe to its server: kept alive, with the token; each problem is logged once. */
export function openLink(options: LinkOptions): Link {
  const { log, token, localNowMs, onPeer, slowRetryMs = SLOW_RETRY_MS } = options;
  const base = new URL(options.url);
  const secure = base.protocol === 'https:';
  const { Agent, request } = secure ? process.getBuiltinModule('node:https') : http;
  const agent = new Agent({ keepAlive: true });
  let trouble = '';

  const logOnce = (what: string, sentence: string) => {
    if (trouble === what) return;
    trouble = what;
    log(what === 'unreachable' || what === 'busy' ? 'warn' : 'error', sentence, { url: base.origin });
  };

  const send = (call: Call): Promise<{ status: number; text: string; retryAfterMs: number }> =>
    new Promise((resolve, reject) => {
      const requestOptions: RequestOptions = {
        agent,
        host: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port === '' ? (secure ? 443 : 80) : Number(base.port),
        method: call.method,
        path: `${base.pathname.replace(/\/$/, '')}${call.path}`,
        headers: {
          host: base.host,
          authorization: `Bearer ${token}`,
          ...(call.body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(call.body) }),
        },
        ...(call.signal ? { signal: call.signal } : {}),
      };
      const outgoing = request(requestOptions);
      const timer = setTimeout(
        () => outgoing.destroy(new Error(`no answer within ${call.timeoutMs / 1000} s`)),
        call.timeoutMs,
      );
      const fail = (error: Error) => {
        clearTimeout(timer);
        reject(outgoing.reusedSocket && codeOfReset(error) ? new StaleConnection() : error);
      };
      outgoing.on('error', fail);
      outgoing.once('response', (incoming) => {
        incoming.on('error', fail);
        if (incoming.socket.remoteAddress) onPeer?.(incoming.socket.remoteAddress);
        readText(incoming, (text) => {
          clearTimeout(timer);
          resolve({
            status: incoming.statusCode ?? 0,
            text,
            retryAfterMs: Number(incoming.headers['retry-after'] ?? 0) * 1000 || 0,
          });
        });
      });
      outgoing.end(call.body);
    });

  return {
    async call(call) {
      let sentAtMs = localNowMs();
      try {
        // Both operations may be repeated: results are stored once by their key, assignments are only read.
        const reply = await send(call).catch((error: unknown) => {
          if (!(error instanceof StaleConnection)) throw error;
          sentAtMs = localNowMs();
          return send(call);
        });
        const receivedAtMs = localNowMs();
        const outcome = judge(reply, call.isAnswer);
        if (outcome.kind !== 'ok') return outcome;
        if (trouble !== '') log('info', 'The server answers again', { url: base.origin });
        trouble = '';
        return { ...outcome, sentAtMs, receivedAtMs };
      } catch (error) {
        if (call.signal?.aborted) return { kind: 'unavailable', waitMs: 0 };
        const why = error instanceof Error ? error.message || error.name : 'unknown reason';
        logOnce(
          'unreachable',
          `The server cannot be reached (${why}); results are kept and sent when it is back`,
        );
        return { kind: 'unavailable', waitMs: 0 };
      }
    },
    close: () => agent.destroy(),
  };

  function judge(
    reply: { status: number; text: string; retryAfterMs: number },
    isAnswer: NonNullable<Call['isAnswer']> = () => true,
  ) {
    const { status } = reply;
    if (status === 200) {
      const body = parse(reply.text);
      if (body !== undefined && isAnswer(body)) return { kind: 'ok' as const, body };
    }
    if (status === 403) {
      // The token is valid, but this probe must wait or is refused; the server's message says why.
      logOnce('shut out', `${messageOf(reply.text)} Asking again every ${slowRetryMs / 1000} s`);
      return { kind: 'unavailable' as const, waitMs: slowRetryMs };
    }
    if (status === 401) {
      logOnce(
        'unauthenticated',
        `The server refuses this probe's token (${status}): get a new one from its operator and restart the probe; asking again every ${slowRetryMs / 1000} s`,
      );
      return { kind: 'unavailable' as const, waitMs: slowRetryMs };
    }
    const isRefusal = status >= 400 && status < 500 && status !== 404 && status !== 408 && status !== 429;
    // A proxy, or what stands in for the server, refuses nothing in its name. A post that is too large for one is halved.
    if (isRefusal && (status === 413 || isOfTocsin(reply.text)))
      return { kind: 'refused' as const, status, message: messageOf(reply.text) };
    if (isRefusal || status === 200 || status === 404 || (status >= 300 && status < 400)) {
      logOnce('foreign', `No Tocsin server answers at this address (${status}): check --url`);
      return { kind: 'unavailable' as const, waitMs: slowRetryMs };
    }
    logOnce('busy', `The server cannot take requests now (${status}); results are kept and sent when it can`);
    return { kind: 'unavailable' as const, waitMs: Math.min(reply.retryAfterMs, LONGEST_RETRY_AFTER_MS) };
  }
}

class StaleConnection extends Error {}

function codeOfReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function readText(incoming: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size > LARGEST_REPLY) incoming.destroy(new Error('the answer is too large'));
  });
  incoming.once('end', () => done(Buffer.concat(chunks).toString('utf8')));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const fieldsOf = (text: string): { error?: unknown; message?: unknown } => Object(parse(text));

/** Whether a refusal has the shape of Tocsin's errors. */
function isOfTocsin(text: string): boolean {
  const { error, message } = fieldsOf(text);
  return typeof error === 'string' && typeof message === 'string';
}

function messageOf(text: string): string {
  const { message } = fieldsOf(text);
  return typeof message === 'string' ? message.slice(0, 300) : 'no reason given';
}
