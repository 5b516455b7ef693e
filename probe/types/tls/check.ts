import type { TLSSocket } from 'node:tls';
import type { Check, Finding } from '#probe/check-outcome.ts';
import { findingOf } from '#probe/check-outcome.ts';
import { DAY_MS } from '#src/domain/durations.ts';
import { utcMinute } from '#src/domain/utc.ts';
import type { TlsConfig } from '#src/monitors/types/tls/config.ts';
import { chainFailure, dependedOn, type Link, nameFailure } from '#src/platform/outbound/chain.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { plainHost } from '../host.ts';
import { reach, secured } from '../reach.ts';
import { rightNowMs } from '../right-time.ts';
import { type RunningCheck, runCheck } from '../run-check.ts';
import { askForTls } from './starttls.ts';

const DATES = new Set(['tls_expired', 'tls_not_yet_valid']);

/**
 * Checks the certificate of a server (docs/rules/monitor-types.md#tls). The metric is the number of days left, with fractions,
 * negative after the expiry, of the first certificate of the chain to expire.
 */
export const tls: Check<TlsConfig> = (config, context) =>
  runCheck(config, context, 'target_tls', async (running) => {
    const session = await sessionWith(config, running);
    const name = plainHost(config.server_name || config.host);
    const links = dependedOn(session);
    const [first] = links.toSorted((a, b) => a.endsAtMs - b.endsAtMs);
    if (first === undefined)
      throw new OutboundFailure('tls_no_certificate', 'target_tls', `${name} presented no certificate`);
    const nowMs = rightNowMs(running.policy);
    const daysLeft = (first.endsAtMs - nowMs) / DAY_MS;
    running.measured.metricValue = Math.round(daysLeft * 100) / 100;

    const inForce = judgeTime(running, name, links, first, nowMs);
    if (config.verify_chain) {
      const failure = chainFailure(session, name, running.policy.nowMs);
      // A wrong date makes the chain invalid too, but it has been reported already, with its day.
      const isReported = !inForce && DATES.has(failure?.failureClass ?? '');
      if (!isReported) judgeBy(running, 'Chain', 'trusted here', 'trusted here', failure);
    }
    if (config.verify_hostname) judgeBy(running, 'Name', name, name, nameFailure(session, name));
    if (inForce) judgeDays(running, config, name, first, daysLeft);
  });

type Endpoint = Pick<TlsConfig, 'host' | 'port' | 'server_name' | 'starttls' | 'ip_family'>;

/** A TLS session that accepts any certificate, which the caller judges. Throws OutboundFailure. */
export async function sessionWith(
  config: Endpoint,
  running: RunningCheck,
  caPem: string | null = null,
): Promise<TLSSocket> {
  const serverName = plainHost(config.server_name || config.host);
  const options = { verify: false, serverName, caPem };
  if (config.starttls === 'none') {
    const { secure } = await reach(running, config, options);
    return secure as TLSSocket;
  }
  const { socket } = await reach(running, config);
  await askForTls(config.starttls, socket, plainHost(config.host), running);
  return secured(running, socket, config.host, options);
}

/** Judges whether every certificate is valid now. */
function judgeTime(
  running: RunningCheck,
  name: string,
  links: readonly Link[],
  first: Link,
  nowMs: number,
): boolean {
  const early = links.toSorted((a, b) => b.startsAtMs - a.startsAtMs)[0] as Link;
  const finding = (failureClass: string, detail: string): Finding => ({
    failureClass,
    layer: 'target_tls',
    detail,
  });
  const ill =
    first.endsAtMs <= nowMs
      ? finding('tls_expired', `The ${first.what} of ${name} expired on ${utcMinute(first.endsAtMs)}`)
      : early.startsAtMs > nowMs
        ? finding(
            'tls_not_yet_valid',
            `The ${early.what} of ${name} is not valid before ${utcMinute(early.startsAtMs)}`,
          )
        : undefined;
  const actual = `${first.what} from ${utcMinute(early.startsAtMs)} to ${utcMinute(first.endsAtMs)}`;
  return running.judge('Validity', { expected: 'valid now', actual }, ill);
}

function judgeDays(
  running: RunningCheck,
  config: TlsConfig,
  name: string,
  first: Link,
  daysLeft: number,
): void {
  const { warn_days: warn, fail_days: fail } = config;
  const soon = (least: number, status: 'down' | 'degraded'): Finding => ({
    failureClass: 'tls_expires_soon',
    layer: 'target_tls',
    status,
    detail: `The ${first.what} of ${name} expires on ${utcMinute(first.endsAtMs)}, in ${shownDays(daysLeft)}; ${status} below ${least} days`,
  });
  running.judge(
    'Days left',
    { expected: `at least ${warn}, down below ${fail}`, actual: `${shownDays(daysLeft)} (${first.what})` },
    daysLeft < fail ? soon(fail, 'down') : daysLeft < warn ? soon(warn, 'degraded') : undefined,
  );
}

function judgeBy(
  running: RunningCheck,
  what: string,
  expected: string,
  good: string,
  failure: OutboundFailure | undefined,
): void {
  running.judge(what, { expected, actual: failure?.message ?? good }, failure && findingOf(failure));
}

const shownDays = (days: number) => `${Math.floor(days)} ${Math.floor(days) === 1 ? 'day' : 'days'}`;
