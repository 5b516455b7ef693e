import { isIP } from 'node:net';
import { type Capsule, type LEFT_OUT, withheldCapsule } from '#src/capsules/contract.ts';
import type { DnsConfig } from '#src/monitors/types/dns/config.ts';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { NetworkPolicy } from '#src/platform/outbound/connect.ts';
import { dial } from '#src/platform/outbound/dial.ts';
import type { Address } from '#src/platform/outbound/resolve.ts';
import { resolveVetted } from '#src/platform/outbound/vetted.ts';
import { UNBOUNDED } from '../bodies.ts';
import { type CheckContext, findingOf, printable } from '../check-outcome.ts';
import { excerptOf } from '../types/http/excerpt.ts';
import { answerOf, type Progress } from '../types/http/fetch.ts';
import type { Bounds } from '../types/inbound.ts';
import { lookUpDns } from './look-up-dns.ts';
import { lookUpTls } from './look-up-tls.ts';
import { traceRoute } from './trace-route.ts';
import { type Where, whereOf } from './where.ts';

/** The time limit for everything together. */
export const GATHERED_WITHIN_MS = 15_000;
const CONNECTED_WITHIN_MS = 5_000;
const ANSWERED_WITHIN_MS = 10_000;
const MAX_ADDRESSES = 8;
const BODY_BYTES = 4_096;
/** Requests that change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

type Part = Capsule['left_out'][number]['part'];
type Why = (typeof LEFT_OUT)[number];

/**
 * Gathers once what a person would look up after a failure of this monitor: the DNS answers and their zone, a connection to
 * each address, the certificates, the route, and the HTTP response. Uses the egress module under the network policy and limits
 * of checks, and sends no credentials. Never throws.
 */
export async function gather(type: string, config: unknown, given: CheckContext): Promise<Capsule> {
  const startedAtMs = performance.now();
  let isPrivate = false;
  const onPrivate = () => {
    isPrivate = true;
    given.policy.onPrivate?.();
  };
  const policy: NetworkPolicy = Object.create(given.policy, { onPrivate: { value: onPrivate } });
  const context: CheckContext = { ...given, policy };
  const where = whereOf(type, config as Record<string, unknown>);
  const left_out: Capsule['left_out'] = [];
  const without = (part: Part, why: Why): null => {
    left_out.push({ part, why });
    return null;
  };
  const over = new AbortController();
  const signal = given.signal ? AbortSignal.any([given.signal, over.signal]) : over.signal;
  const bounds: Bounds = { deadlineAtMs: startedAtMs + GATHERED_WITHIN_MS, signal };
  const failed = (part: Part) => () => without(part, 'failed');
  try {
    const addresses = await addressesOf(where, context, bounds);
    const [dns, connections, tls, route, response] = await Promise.all([
      dnsOf(type, where, config, context, bounds, without).catch(failed('dns')),
      connectionsOf(where, addresses, bounds, without).catch(failed('connections')),
      tlsOf(where, addresses, context, without).catch(failed('tls')),
      routeOf(addresses, context, bounds, without).catch(failed('route')),
      responseOf(type, config, context, bounds, { without, isPrivate: () => isPrivate }).catch(
        failed('response'),
      ),
    ]);
    const base = { host: where.host.slice(0, 300), took_ms: Math.round(performance.now() - startedAtMs) };
    if (isPrivate && !given.keepPrivate) return withheldCapsule(base);
    return { ...base, private: isPrivate, withheld: false, dns, connections, tls, route, response, left_out };
  } finally {
    over.abort();
  }
}

type Without = (part: Part, why: Why) => null;

/** Empty if the name does not resolve, or resolves to addresses that this region may not reach. */
async function addressesOf(
  { host, family }: Where,
  { policy, resolver }: CheckContext,
  { deadlineAtMs, signal }: Bounds,
): Promise<Address[]> {
  const found = await resolveVetted({ host, family, policy, resolver, deadlineAtMs, signal }).catch(() => []);
  return found.slice(0, MAX_ADDRESSES);
}

async function dnsOf(
  type: string,
  { host }: Where,
  config: unknown,
  context: CheckContext,
  bounds: Bounds,
  without: Without,
): Promise<Capsule['dns']> {
  const own = type === 'dns' ? (config as DnsConfig) : null;
  if (isIP(host) !== 0 && own?.record_type !== 'PTR') return without('dns', 'address');
  return lookUpDns(host, own, context, bounds);
}

async function connectionsOf(
  { port }: Where,
  addresses: readonly Address[],
  { deadlineAtMs, signal }: Bounds,
  without: Without,
): Promise<Capsule['connections']> {
  if (port === null) return without('connections', 'no_port');
  if (addresses.length === 0) return without('connections', 'unresolved');
  const untilMs = Math.min(deadlineAtMs, performance.now() + CONNECTED_WITHIN_MS);
  return Promise.all(
    addresses.map(async (address) => {
      const startedAtMs = performance.now();
      const tried = await dial([address], port, untilMs, signal).then(
        ({ socket }) => {
          socket.destroy();
          return null;
        },
        (error: unknown) => printable(findingOf(error).detail),
      );
      return { address: address.address, took_ms: Math.round(performance.now() - startedAtMs), error: tried };
    }),
  );
}

async function tlsOf(
  { port, tls, ...where }: Where,
  addresses: readonly Address[],
  context: CheckContext,
  without: Without,
): Promise<Capsule['tls']> {
  if (tls === null || port === null) return without('tls', 'no_tls');
  if (addresses.length === 0) return without('tls', 'unresolved');
  return lookUpTls({ ...where, port, tls }, context, ANSWERED_WITHIN_MS);
}

async function routeOf(
  [first]: readonly Address[],
  { keepPrivate }: CheckContext,
  bounds: Bounds,
  without: Without,
): Promise<Capsule['route']> {
  if (first === undefined) return without('route', 'unresolved');
  return (await traceRoute(first.address, bounds, keepPrivate === true)) ?? without('route', 'no_tool');
}

/** The response to the same request. It may differ from the failed one: a capsule shows the present. */
async function responseOf(
  type: string,
  given: unknown,
  context: CheckContext,
  { deadlineAtMs, signal }: Bounds,
  { without, isPrivate }: { without: Without; isPrivate: () => boolean },
): Promise<Capsule['response']> {
  if (type !== 'http') return without('response', 'no_http');
  const config = given as HttpConfig;
  if (!config.keep_response) return without('response', 'off');
  if (!SAFE_METHODS.has(config.method)) return without('response', 'method');
  const redirects: string[] = [];
  const progress: Progress = { timings: {}, status: undefined };
  const reservation = context.bodies?.hold(context.tenant ?? { organizationId: '' }) ?? UNBOUNDED;
  let error: string | null = null;
  try {
    await answerOf(
      config,
      {
        ...context,
        signal,
        judged: ({ what, actual }) => {
          if (what === 'Redirect' && redirects.length < 10) redirects.push(printable(actual, 400));
        },
      },
      {
        deadlineAtMs: Math.min(deadlineAtMs, performance.now() + ANSWERED_WITHIN_MS),
        ...{ progress, reservation },
        collects: true,
        decodes: true,
        bodyUse: () => 'ignored',
      },
    );
  } catch (failure) {
    error = printable(findingOf(failure).detail);
  } finally {
    reservation.end();
  }
  const { beginning } = progress;
  await beginning?.settled();
  const keep = { bodyBytes: BODY_BYTES, privateToo: context.keepPrivate === true, isPrivate: isPrivate() };
  return { redirects, error, excerpt: beginning ? await excerptOf(beginning, config, keep) : null };
}
