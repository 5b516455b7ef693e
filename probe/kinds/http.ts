import type { TLSSocket } from 'node:tls';
import type { HttpConfig } from '../../src/monitors/config/http.ts';
import { expiresAtMs } from '../../src/platform/outbound/certificate.ts';
import { type ConnectTimings, connect } from '../../src/platform/outbound/connect.ts';
import { OutboundFailure } from '../../src/platform/outbound/failures.ts';
import { asksForBody } from '../assertions/body.ts';
import { headerFinding } from '../assertions/header.ts';
import { judgeBody } from '../assertions/judge.ts';
import {
  type CheckContext,
  type Finding,
  findingOf,
  type Kind,
  type Observation,
  printable,
} from '../observation.ts';
import { textOf } from './http-content.ts';
import { type Answer, type BodyUse, exchange } from './http-exchange.ts';
import { firstHop, type Hop, isRedirect, nextHop } from './http-hop.ts';

/** What is known of a check so far; filled on the way, so that a failure keeps the phases before it. */
type Progress = { timings: ConnectTimings & { first_byte?: number }; status: number | undefined };

/**
 * Checks an HTTP or HTTPS address (decisions, section 4, type http): up, degraded when only too slow, down with the
 * first reason otherwise. `timeout_ms` is over the whole check, redirects and body included.
 */
export const http: Kind<HttpConfig> = async (config, context) => {
  const startedAtMs = performance.now();
  const progress: Progress = { timings: {}, status: undefined };
  let finding: Finding | undefined;
  try {
    const answer = await answerOf(config, context, startedAtMs + config.timeout_ms, progress);
    finding = await judge(config, answer);
  } catch (error) {
    finding = findingOf(error);
  }
  return observation(config, finding, progress, performance.now() - startedAtMs);
};

async function answerOf(
  config: HttpConfig,
  context: CheckContext,
  deadlineAtMs: number,
  progress: Progress,
): Promise<Answer> {
  let hop = firstHop(config, asksForBody(config));
  for (let redirects = 0; ; redirects += 1) {
    const answer = await take(hop, config, context, deadlineAtMs, progress);
    const location = answer.headers.location;
    if (!config.follow_redirects || !isRedirect(answer.status) || location === undefined) return answer;
    if (redirects === config.max_redirects)
      throw new OutboundFailure(
        'too_many_redirects',
        'target_http',
        `More than ${config.max_redirects} redirects; the last one came from ${hop.url.host}`,
      );
    hop = nextHop(hop, answer.status, location, config.secret_headers);
  }
}

async function take(
  hop: Hop,
  config: HttpConfig,
  context: CheckContext,
  deadlineAtMs: number,
  progress: Progress,
): Promise<Answer> {
  const host = hop.url.hostname.replace(/^\[|\]$/g, '');
  const secure = hop.url.protocol === 'https:';
  const phases: ConnectTimings = {};
  try {
    const { socket, secure: session } = await connect(
      {
        host,
        port: hop.url.port === '' ? (secure ? 443 : 80) : Number(hop.url.port),
        tls: secure ? tlsFor(hop, config) : undefined,
        family: config.ip_family,
        policy: context.policy,
        resolver: context.resolver,
        deadlineAtMs,
        signal: context.signal,
      },
      phases,
    );
    if (session) demandDaysLeft(session, host, config);
    const onHead = (status: number, headers: Answer['headers']): BodyUse => {
      progress.status = status;
      return bodyUse(config, status, headers);
    };
    const answer = await exchange(
      socket,
      hop,
      host,
      config.max_body_bytes,
      onHead,
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

/** The name override and the client certificate are for the origin the config names and no other. */
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

const DAY_MS = 86_400_000;

function demandDaysLeft(socket: TLSSocket, host: string, config: HttpConfig): void {
  const least = config.tls.min_days_left ?? null;
  if (least === null) return;
  const endsAtMs = expiresAtMs(socket);
  if (endsAtMs === null) return;
  const daysLeft = (endsAtMs - (performance.timeOrigin + performance.now())) / DAY_MS;
  if (daysLeft >= least) return;
  socket.destroy();
  throw new OutboundFailure(
    'tls_expires_soon',
    'target_tls',
    `The certificate of ${host} expires on ${new Date(endsAtMs).toISOString().slice(0, 10)}, in ${Math.floor(daysLeft)} days; at least ${least} are asked for (config.tls.min_days_left)`,
  );
}

function bodyUse(config: HttpConfig, status: number, headers: Answer['headers']): BodyUse {
  if (config.follow_redirects && isRedirect(status) && headers.location !== undefined) return 'ignored';
  if (!expected(config, status)) return 'ignored';
  if (asksForBody(config)) return 'needed';
  // An event stream has no end to wait for.
  return /^text\/event-stream/i.test(headers['content-type'] ?? '') ? 'ignored' : 'watched';
}

function expected(config: HttpConfig, status: number): boolean {
  return config.expected_status.some((range) => {
    const [from, to] = range.split('-');
    return status >= Number(from) && status <= Number(to ?? from);
  });
}

async function judge(config: HttpConfig, answer: Answer): Promise<Finding | undefined> {
  if (!expected(config, answer.status))
    return {
      failureClass: 'http_status',
      layer: 'target_http',
      detail: `Answered ${answer.status}; expected ${config.expected_status.join(', ')}`,
    };
  if (config.header_assertions.length > 0) {
    const finding = await headerFinding(config.header_assertions, answer.headers);
    if (finding) return finding;
  }
  if (!asksForBody(config)) return undefined;
  const text = await textOf(
    answer.body,
    answer.headers['content-encoding'],
    answer.headers['content-type'],
    config.max_body_bytes,
  );
  return judgeBody({ text, keyword: config.keyword, json_assertions: config.json_assertions });
}

function observation(
  config: HttpConfig,
  finding: Finding | undefined,
  progress: Progress,
  totalMs: number,
): Observation {
  const total = Math.round(totalMs);
  const timings: NonNullable<Observation['timings_ms']> = { total };
  for (const phase of ['dns', 'connect', 'tls', 'first_byte'] as const) {
    const spent = progress.timings[phase];
    if (spent !== undefined) timings[phase] = Math.round(spent);
  }
  const measured: Observation = {
    status: 'up',
    latency_ms: total,
    timings_ms: timings,
    ...(progress.status === undefined ? {} : { response_code: progress.status }),
  };
  if (finding)
    return {
      ...measured,
      status: 'down',
      failure_class: finding.failureClass,
      cause_layer: finding.layer,
      detail: printable(finding.detail),
    };
  if (config.degraded_after_ms !== null && totalMs > config.degraded_after_ms)
    return {
      ...measured,
      status: 'degraded',
      failure_class: 'slow',
      cause_layer: 'target_http',
      detail: `Took ${total} ms; degraded after ${config.degraded_after_ms} ms`,
    };
  return measured;
}
