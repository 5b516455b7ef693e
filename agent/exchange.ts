import type { Agent, IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { MAX_REPLY_BYTES } from './limits.ts';

// Without its ECMAScript wrapper, which would load undici and cost megabytes; Node 20 has no other way on every system.
const load = createRequire(import.meta.url);
const http = load('node:http') as typeof import('node:http');

export type Exchange = {
  /** An http or https address; or, with `socketPath`, the path on a server behind a local socket. */
  url: URL;
  socketPath?: string | undefined;
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | undefined;
  connections?: Agent | undefined;
  /** Time limit for everything: resolving, connecting, sending, reading the answer. */
  timeoutMs: number;
  maxBytes?: number | undefined;
  signal?: AbortSignal | undefined;
};
export type Answer = { status: number; text: string; retryAfter: string | undefined };

/** Connections that are kept alive between heartbeats, because a handshake costs more than all readings. */
export function openConnections(secure: boolean): Agent {
  const { Agent } = secure ? (load('node:https') as typeof import('node:https')) : http;
  return new Agent({ keepAlive: true, maxSockets: 1 });
}

/**
 * One HTTP exchange: verified certificates, no redirects, a total deadline, an answer of limited size. Any status is an answer;
 * everything else rejects. Tries once more if a kept connection had been closed: the server recognizes repeated heartbeats.
 */
export async function exchange(options: Exchange): Promise<Answer> {
  try {
    return await send(options);
  } catch (error) {
    if (error instanceof StaleConnection) return send(options);
    throw error;
  }
}

class StaleConnection extends Error {}

function send(options: Exchange): Promise<Answer> {
  const { url, socketPath, method, body, connections, timeoutMs, signal } = options;
  const secure = url.protocol === 'https:';
  const { request } = secure ? (load('node:https') as typeof import('node:https')) : http;
  return new Promise((resolve, reject) => {
    const outgoing = request({
      ...(connections ? { agent: connections } : {}),
      ...(signal ? { signal } : {}),
      ...(socketPath === undefined
        ? { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port || (secure ? 443 : 80) }
        : { socketPath }),
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        ...options.headers,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    });
    const timer = setTimeout(
      () => outgoing.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(outgoing.reusedSocket && isReset(error) ? new StaleConnection() : error);
    };
    outgoing.on('error', fail);
    outgoing.once('response', (incoming) => {
      incoming.on('error', fail);
      readText(incoming, options.maxBytes ?? MAX_REPLY_BYTES, (text) => {
        clearTimeout(timer);
        resolve({ status: incoming.statusCode ?? 0, text, retryAfter: incoming.headers['retry-after'] });
      });
    });
    outgoing.end(body);
  });
}

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function readText(incoming: IncomingMessage, maxBytes: number, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size > maxBytes) incoming.destroy(new Error('the answer is too large'));
  });
  incoming.once('end', () => done(Buffer.concat(chunks).toString('utf8')));
}
