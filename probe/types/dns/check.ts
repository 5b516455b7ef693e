import { isIP } from 'node:net';
import type { DecodedPacket } from 'dns-packet';
import ipaddr from 'ipaddr.js';
import type { Check, Finding } from '#probe/check-outcome.ts';
import type { DnsConfig } from '#src/monitors/types/dns/config.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { nameServers } from '#src/platform/outbound/resolve.ts';
import { resolveVetted } from '#src/platform/outbound/vetted.ts';
import { plainHost } from '../host.ts';
import { type RunningCheck, runCheck } from '../run-check.ts';
import { ask, type NameServer, type Question } from './query.ts';
import { compareRecords, recordValue } from './record.ts';

/** The most of the machine's own name servers that are tried. */
const MAX_SERVERS = 3;

/**
 * Asks for a record (docs/rules/monitor-types.md#dns) and judges the response code and the values. `resolver` null asks
 * the probe's own name servers one after the other, each for its share of the time; `port` is the one of `resolver`.
 */
export const dns: Check<DnsConfig> = (config, context) =>
  runCheck(config, context, 'target_dns', async (running) => {
    const question: Question = {
      name: config.record_type === 'PTR' ? reverseName(plainHost(config.host)) : plainHost(config.host),
      type: config.record_type,
    };
    const servers = await serversFor(config, running);
    const askedAtMs = performance.now();
    const answer = await askInTurn(question, servers, config.transport, running);
    running.timings.first_byte = performance.now() - askedAtMs;
    judge(config, question, answer, running);
  });

/** The name for the reverse lookup of an address (RFC 1035, section 3.5; RFC 3596); a name is returned as it is. */
export function reverseName(host: string): string {
  if (isIP(host) === 0) return host;
  const address = ipaddr.parse(host);
  if (address.kind() === 'ipv4') return `${address.toByteArray().reverse().join('.')}.in-addr.arpa`;
  return `${Buffer.from(address.toByteArray()).toString('hex').split('').reverse().join('.')}.ip6.arpa`;
}

async function serversFor({ resolver, port }: DnsConfig, running: RunningCheck): Promise<NameServer[]> {
  if (resolver === null)
    return nameServers(running.resolver)
      .slice(0, MAX_SERVERS)
      .map(({ address, port }) => ({
        addresses: [{ address, family: isIP(address) === 6 ? 6 : 4 }],
        port,
      }));
  const { policy, deadlineAtMs, signal } = running;
  const addresses = await resolveVetted(
    { host: plainHost(resolver), family: 'auto', policy, resolver: running.resolver, deadlineAtMs, signal },
    running.timings,
  );
  return [{ addresses, port }];
}

async function askInTurn(
  question: Question,
  servers: readonly NameServer[],
  transport: DnsConfig['transport'],
  { deadlineAtMs, signal }: RunningCheck,
): Promise<DecodedPacket> {
  let failure: unknown = new OutboundFailure(
    'dns_unreachable',
    'probe',
    'This machine has no name server of its own to ask (DNS_SERVERS)',
  );
  for (const [index, server] of servers.entries()) {
    const nowMs = performance.now();
    const share = (deadlineAtMs - nowMs) / (servers.length - index);
    try {
      return await ask(question, server, transport, { deadlineAtMs: nowMs + share, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      failure = error;
    }
  }
  throw failure;
}

function judge(config: DnsConfig, question: Question, answer: DecodedPacket, running: RunningCheck): void {
  const rcode = (answer as DecodedPacket & { rcode: string }).rcode;
  const wanted = config.expected_rcode;
  const said = { expected: wanted, actual: rcode };
  if (
    !running.judge('Response code', said, rcode === wanted ? undefined : wrongCode(rcode, wanted, question))
  )
    return;
  if (wanted !== 'NOERROR') return;
  const values = (answer.answers ?? [])
    .filter(({ type }) => type === question.type)
    .flatMap((record) => recordValue(record) ?? []);
  const expected = config.expected;
  running.judge(
    `${question.type} records`,
    {
      expected: expected === null ? 'at least one' : `${expected.mode} of ${expected.values.join(', ')}`,
      actual: values.length === 0 ? 'none' : values.join(', '),
    },
    wrongValues(config, question, values),
  );
}

function wrongCode(rcode: string, wanted: string, { name }: Question): Finding {
  const layer = 'target_dns';
  if (rcode === 'NOERROR')
    return { failureClass: 'answer_mismatch', layer, detail: `The name ${name} exists; expected ${wanted}` };
  const but = wanted === 'NOERROR' ? '' : `; expected ${wanted}`;
  const words: Record<string, string> = {
    NXDOMAIN: `The name ${name} does not exist (NXDOMAIN)`,
    SERVFAIL: `The name server failed on ${name} (SERVFAIL)`,
    REFUSED: `The name server refused to answer for ${name} (REFUSED)`,
  };
  return {
    failureClass: `dns_${rcode.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`,
    layer,
    detail: `${words[rcode] ?? `The name server answered ${rcode} for ${name}`}${but}`,
  };
}

function wrongValues(
  { expected }: DnsConfig,
  { name, type }: Question,
  values: readonly string[],
): Finding | undefined {
  const layer = 'target_dns';
  if (values.length === 0)
    return { failureClass: 'dns_nodata', layer, detail: `The name ${name} has no ${type} record` };
  if (expected === null) return undefined;
  const { missing, surplus } = compareRecords(type, values, expected.values);
  const mismatch = (detail: string): Finding => ({ failureClass: 'answer_mismatch', layer, detail });
  const answered = `${name} has the ${type} ${values.length === 1 ? 'record' : 'records'} ${listed(values)}`;
  if (expected.mode === 'any')
    return missing.length < expected.values.length
      ? undefined
      : mismatch(`${answered}; expected any of ${listed(expected.values)}`);
  if (missing.length > 0) return mismatch(`${answered}; missing ${listed(missing)}`);
  if (expected.mode === 'exact' && surplus.length > 0)
    return mismatch(`${answered}; not expected ${listed(surplus)}`);
  return undefined;
}

const MAX_SHOWN = 5;

function listed(values: readonly string[]): string {
  const shown = values
    .slice(0, MAX_SHOWN)
    .map((value) => (value.length > 80 ? `${value.slice(0, 79)}…` : value));
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
