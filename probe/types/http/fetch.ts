import type { TLSSocket } from 'node:tls';
import type { Reservation } from '#probe/bodies.ts';
import type { CheckContext } from '#probe/check-outcome.ts';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import { type ConnectTimings, connect } from '#src/platform/outbound/connect.ts';
import type { MonotonicMs } from '#src/platform/outbound/deadline.ts';
import { endpoint, OutboundFailure } from '#src/platform/outbound/failures.ts';
import { type Beginning, collect } from './beginning.ts';
import { type Answer, type BodyUse, exchange } from './exchange.ts';
import { firstHop, type Hop, isRedirect, nextHop } from './hop.ts';

/** Phases, status and answer of an exchange so far; a failure keeps the phases before it. */
export type Progress = {
  timings: ConnectTimings & { first_byte?: number };
  status: number | undefined;
  /** The beginning of the last response; absent: there was none, or none is collected. */
  beginning?: Beginning | undefined;
};

export type Fetching = {
  deadlineAtMs: MonotonicMs;
  progress: Progress;
  /** Where the body's bytes are counted; the caller ends it. */
  reservation: Reservation;
  /** Whether the head and the beginning of the answer are collected. */
  collects?: boolean | undefined;
  /** Whether the text of the response is needed; only then is compression offered. */
  decodes: boolean;
  /** Called with every private address that is reached. */
  onPrivate?: (() => void) | undefined;
  /** Inspects the TLS session before anything is sent over it. */
  secured?: ((session: TLSSocket, host: string) => void) | undefined;
  /** How the body of the final answer is used. */
  bodyUse: (status: number, headers: Answer['headers']) => BodyUse;
};

/** One HTTP request with the redirects it leads to, every connection vetted anew. Throws OutboundFailure. */
export async function answerOf(
  config: HttpConfig,
  context: CheckContext,
  fetching: Fetching,
): Promise<Answer> {
  let hop = firstHop(config, fetching.decodes);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await take(hop, config, context, fetching);
    const { location } = answer.headers;
    if (!leadsOn(config, answer.status, answer.headers) || location === undefined) return answer;
    if (redirects === config.max_redirects)
      throw new OutboundFailure(
        'too_many_redirects',
        'target_http',
        `More than ${config.max_redirects} redirects; the last one came from ${hop.url.host}`,
      );
    hop = nextHop(hop, answer.status, location, config.secret_headers);
    context.judged?.({
      what: 'Redirect',
      expected: `at most ${config.max_redirects}`,
      actual: `${answer.status} to ${hop.url.host.slice(0, 300)}`,
      ok: true,
    });
  }
}

async function take(
  hop: Hop,
  config: HttpConfig,
  context: CheckContext,
  { deadlineAtMs, progress, reservation, secured, bodyUse, collects, onPrivate }: Fetching,
): Promise<Answer> {
  progress.beginning = undefined;
  const host = hop.url.hostname.replace(/^\[|\]$/g, '');
  const secure = hop.url.protocol === 'https:';
  const port = hop.url.port === '' ? (secure ? 443 : 80) : Number(hop.url.port);
  const phases: ConnectTimings = {};
  try {
    const connection = await connect(
      {
        host,
        port,
        tls: secure ? tlsFor(hop, config) : undefined,
        family: config.ip_family,
        policy: context.policy,
        onPrivate,
        isTame: true, // each request carries the mark of checks
        resolver: context.resolver,
        deadlineAtMs,
        signal: context.signal,
      },
      phases,
    );
    context.judged?.({
      what: 'Connection',
      expected: 'a connection',
      actual: `to ${endpoint(connection.address, port)}`,
      ok: true,
    });
    if (connection.secure) {
      context.judged?.({
        what: 'TLS',
        expected: config.tls.verify ? 'a handshake and a valid certificate' : 'a handshake',
        actual: connection.secure.getProtocol() ?? 'secured',
        ok: true,
      });
      secured?.(connection.secure, host);
    }
    const answer = await exchange(
      connection.socket,
      hop,
      host,
      { maxBodyBytes: config.max_body_bytes, reservation },
      (status, headers, incoming) => {
        progress.status = status;
        if (collects && incoming) progress.beginning = collect(incoming);
        return leadsOn(config, status, headers) ? 'ignored' : bodyUse(status, headers);
      },
      deadlineAtMs,
      context.signal,
    );
    progress.timings.first_byte = (progress.timings.first_byte ?? 0) + answer.firstByteMs;
    return answer;
  } finally {
    for (const phase of ['dns', 'connect', 'tls'] as const)
      if (phases[phase] !== undefined)
        progress.timings[phase] = (progress.timings[phase] ?? 0) + phases[phase];
  }
}

function leadsOn(config: HttpConfig, status: number, headers: Answer['headers']): boolean {
  return config.follow_redirects && isRedirect(status) && headers.location !== undefined;
}

/** The name override and the client certificate apply only to the origin in the config. */
function tlsFor(hop: Hop, { tls }: HttpConfig) {
  return {
    verify: tls.verify,
    caPem: tls.ca_pem,
    alpn: ['http/1.1'],
    ...(hop.trusted
      ? { serverName: tls.server_name, clientCertPem: tls.client_cert_pem, clientKeyPem: tls.client_key_pem }
      : {}),
  };
}
