import type { ClientRequest, ClientRequestArgs, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { userOf } from '../url-user.ts';
import { connect, type NetworkPolicy } from './connect.ts';
import { onDeadline } from './deadline.ts';
import { exchangeFailure, responseTimeout } from './exchange-failure.ts';
import { cancelledByCaller, codeOf, OutboundFailure } from './failures.ts';
import { limitInformational } from './informational.ts';
import { http } from './node-http.ts';
import type { Resolver } from './resolve.ts';

export type OutboundRequest = {
  /** http or https, with user and password or without; redirects are not followed. */
  url: string;
  method?: 'POST' | 'PUT' | 'PATCH' | 'GET' | undefined;
  headers: Readonly<Record<string, string>>;
  /** The exact bytes of the body. */
  body?: Uint8Array | undefined;
  policy: NetworkPolicy;
  /**
   * Limit for everything: resolving, connecting, sending, reading the whole reply. Default 15 s
   * (docs/rules/limits.md#sizes).
   */
  timeoutMs?: number | undefined;
  /** Bytes of reply that are kept, in at most 1,024 chunks; the rest is not read. Default 64 KiB. */
  maxReplyBytes?: number | undefined;
  resolver?: Resolver | undefined;
  signal?: AbortSignal | undefined;
};

export type OutboundReply = {
  status: number;
  headers: IncomingHttpHeaders;
  /** Truncated at `maxReplyBytes`, or after the most chunks; undecoded except as UTF-8. */
  bodyText: string;
  latencyMs: number;
};

const TIMEOUT_MS = 15_000;
const REPLY_BYTES = 64 * 1024;
/** Chunks of reply that are kept: each costs the main loop far more than its bytes, and may be a single byte. */
const REPLY_PIECES = 1_024;
/** An idle connection is kept for this long for the next delivery to the same receiver. */
const IDLE_MS = 4_000;

/**
 * One HTTP exchange with a receiver outside (webhooks, chat and paging providers): vetted connection, certificates
 * always verified, total deadline, no redirects, capped reply. Connections are kept alive between requests. Throws
 * OutboundFailure; any HTTP status is an answer, not a failure.
 */
export async function request(options: OutboundRequest): Promise<OutboundReply> {
  const startedAtMs = performance.now();
  const deadlineAtMs = startedAtMs + (options.timeoutMs ?? TIMEOUT_MS);
  const reply = await send(options, deadlineAtMs, agentFor).catch((error: unknown) => {
    // The receiver closed an idle connection just as it was reused, and answered nothing. Try once more on a new one: the other
    // idle ones are probably as dead.
    if (error instanceof StaleConnection) return send(options, deadlineAtMs, agentOfOne);
    throw error;
  });
  return { ...reply, latencyMs: Math.round(performance.now() - startedAtMs) };
}

class StaleConnection extends Error {}

function send(
  options: OutboundRequest,
  deadlineAtMs: number,
  agentOf: typeof agentFor,
): Promise<Omit<OutboundReply, 'latencyMs'>> {
  return new Promise((resolve, reject) => {
    const url = new URL(options.url);
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new OutboundFailure('invalid_config', 'probe', 'Only http and https addresses can be called');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const secure = url.protocol === 'https:';
    const limit = options.maxReplyBytes ?? REPLY_BYTES;
    const user = userOf(url);

    let outgoing: ClientRequest | undefined;
    let ended = false;
    let answers = false;
    const settle = (end: () => void) => {
      if (ended) return;
      ended = true;
      release();
      end();
    };
    const giveUp = (failure: OutboundFailure) => {
      settle(() => reject(failure));
      outgoing?.destroy();
    };
    let late = false;
    const release = onDeadline(deadlineAtMs, options.signal, (aborted) => {
      if (aborted) giveUp(cancelledByCaller());
      else if (outgoing?.socket) giveUp(responseTimeout(host));
      // The connection, whose time is over too, says what it was waiting for.
      else late = true;
    });
    const fail = (error: unknown) =>
      settle(() =>
        reject(
          outgoing?.reusedSocket && !answers && ['ECONNRESET', 'EPIPE'].includes(codeOf(error))
            ? new StaleConnection()
            : exchangeFailure(error, host),
        ),
      );
    try {
      outgoing = http.request({
        agent: agentOf(options, secure),
        protocol: url.protocol,
        host,
        port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
        path: `${url.pathname}${url.search}`,
        method: options.method ?? 'POST',
        headers: {
          ...options.headers,
          host: url.host,
          ...(options.body ? { 'content-length': options.body.byteLength } : {}),
        },
        ...(user ? { auth: `${user.user}:${user.pass}` } : {}),
        maxHeaderSize: 32 * 1024,
        [DEADLINE]: deadlineAtMs,
      } as ClientRequestArgs);
    } catch (error) {
      fail(error);
      return;
    }
    outgoing.once('socket', () => {
      if (late) giveUp(responseTimeout(host));
    });
    outgoing.once('error', fail);
    outgoing.on('error', () => undefined);
    limitInformational(outgoing, host, (failure) => {
      fail(failure);
      outgoing?.destroy();
    });
    // Node would destroy the connection without an error.
    outgoing.once('upgrade', (_, socket) => {
      socket.destroy();
      fail(
        new OutboundFailure('invalid_response', 'target_http', `${host} switched to another protocol (101)`),
      );
    });
    outgoing.once('response', (incoming) => {
      answers = true;
      readReply(incoming, limit, (bodyText) =>
        settle(() => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bodyText })),
      );
      incoming.once('error', fail);
    });
    outgoing.end(options.body);
  });
}

function readReply(incoming: IncomingMessage, limit: number, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = () => done(Buffer.concat(chunks).subarray(0, limit).toString('utf8'));
  const read = (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size < limit && chunks.length < REPLY_PIECES) return;
    // Node may still parse the current block; nothing reads the result.
    incoming.off('data', read).pause();
    finish();
    incoming.destroy();
  };
  incoming.on('data', read);
  incoming.once('end', finish);
}

/** Passes the deadline of the request that opens a connection to the agent that creates it. */
const DEADLINE = Symbol('deadline of the request');

/** Pools connections by host and port; each was vetted under the agent's own policy when it was created. */
class VettedAgent extends http.Agent {
  readonly #policy: NetworkPolicy;
  readonly #secure: boolean;
  readonly #resolver: Resolver | undefined;

  constructor(policy: NetworkPolicy, secure: boolean, resolver: Resolver | undefined, keepAlive: boolean) {
    super({ keepAlive, timeout: IDLE_MS, maxFreeSockets: 4 });
    this.#policy = policy;
    this.#secure = secure;
    this.#resolver = resolver;
    // http.Agent refuses https addresses by this property; the sockets made here are TLS where they must be.
    Object.assign(this, { protocol: secure ? 'https:' : 'http:', defaultPort: secure ? 443 : 80 });
  }

  override createConnection(
    options: ClientRequestArgs & { [DEADLINE]?: number },
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    connect({
      host: String(options.host),
      port: Number(options.port),
      family: 'auto',
      policy: this.#policy,
      tls: this.#secure ? { verify: true, alpn: ['http/1.1'] } : undefined,
      resolver: this.#resolver,
      deadlineAtMs: options[DEADLINE] ?? performance.now() + TIMEOUT_MS,
    }).then(
      ({ socket }) => done?.(null, socket),
      // node's type requires a socket beside the error; there is none.
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
  }
}

type Egress = Pick<OutboundRequest, 'policy' | 'resolver'>;

/** Keyed by what is off limits, then by the rest of the policy: a caller must not reuse a connection to an address it may not reach. */
const agents = new Map<NetworkPolicy['isOffLimits'], Map<string, VettedAgent>>();

/** One agent per policy and scheme; a caller with its own resolver gets its own agent, which keeps no connection alive. */
function agentFor({ policy, resolver }: Egress, secure: boolean): VettedAgent {
  if (resolver) return agentOfOne({ policy, resolver }, secure);
  const alike = agents.get(policy.isOffLimits) ?? new Map<string, VettedAgent>();
  agents.set(policy.isOffLimits, alike);
  const key = `${policy.allowPrivate} ${secure}`;
  const known = alike.get(key);
  if (known) return known;
  const agent = new VettedAgent(policy, secure, undefined, true);
  alike.set(key, agent);
  return agent;
}

/** An agent for one request: it keeps no connection, and knows none. */
const agentOfOne = ({ policy, resolver }: Egress, secure: boolean) =>
  new VettedAgent(policy, secure, resolver, false);

/** Closes idle connections (at shutdown). */
export function closeIdleConnections(): void {
  for (const alike of agents.values()) for (const agent of alike.values()) agent.destroy();
  agents.clear();
}
