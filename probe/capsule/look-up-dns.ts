import { isIP } from 'node:net';
import type { DecodedPacket } from 'dns-packet';
import type { Capsule } from '#src/capsules/contract.ts';
import { networkAccess } from '#src/domain/network-policy.ts';
import type { DnsConfig } from '#src/monitors/types/dns/config.ts';
import { endpoint } from '#src/platform/outbound/failures.ts';
import { nameServers } from '#src/platform/outbound/resolve.ts';
import { resolveVetted } from '#src/platform/outbound/vetted.ts';
import { type CheckContext, findingOf, printable } from '../check-outcome.ts';
import { reverseName } from '../types/dns/check.ts';
import { ask, type NameServer, type Question } from '../types/dns/query.ts';
import { recordValue } from '../types/dns/record.ts';
import type { Bounds } from '../types/inbound.ts';

type Dns = NonNullable<Capsule['dns']>;
type DnsAnswers = Dns['servers'][number];

const MAX_SERVERS = 3;
const MAX_ANSWERS = 20;
const SERVER_WITHIN_MS = 3_000;

/**
 * Asks each name server of this machine (or the one of a `dns` monitor) about a name, and finds its zone. Calls `onPrivate` for
 * a private address among the answers. Throws OutboundFailure if the monitor's server cannot be reached.
 */
export async function lookUpDns(
  host: string,
  config: Partial<DnsConfig> | null,
  context: CheckContext,
  bounds: Bounds,
): Promise<Dns> {
  const type = config?.record_type ?? 'A';
  const name = type === 'PTR' ? reverseName(host) : host;
  const servers = await serversOf(config, context, bounds);
  const transport = config?.transport ?? 'udp';
  const types: Question['type'][] = type === 'A' && config === null ? ['A', 'AAAA'] : [type];
  // Name servers in the operator's network are nobody else's business.
  const hidden = config?.resolver == null && !context.keepPrivate;
  const asked = await Promise.all(
    servers.map(async (server, at) => {
      const { said, packets } = await askServer(server, name, types, transport, bounds);
      const [own] = server.addresses;
      const isHidden = hidden && own !== undefined && isPrivate(own.address);
      return { said: isHidden ? unnamed(said, `private ${at + 1}`) : said, packets };
    }),
  );
  const [first] = servers;
  const zone = first === undefined ? null : await zoneOf(first, name, transport, bounds).catch(() => null);
  for (const { packets } of asked)
    for (const { data } of packets.flatMap(({ answers = [] }) => answers as { data?: unknown }[]))
      if (typeof data === 'string' && isIP(data) !== 0 && isPrivate(data)) context.policy.onPrivate?.();
  return {
    question: `${name} ${types.join(', ')}`.slice(0, 300),
    servers: asked.map(({ said }) => said),
    zone,
  };
}

async function serversOf(
  config: Partial<DnsConfig> | null,
  { policy, resolver }: CheckContext,
  { deadlineAtMs, signal }: Bounds,
): Promise<NameServer[]> {
  if (config?.resolver == null)
    return nameServers(resolver)
      .slice(0, MAX_SERVERS)
      .map(({ address, port }) => ({ addresses: [{ address, family: isIP(address) === 6 ? 6 : 4 }], port }));
  const question = { host: config.resolver, family: 'auto', policy, resolver, deadlineAtMs, signal } as const;
  return [{ addresses: await resolveVetted(question), port: config.port ?? 53 }];
}

async function askServer(
  server: NameServer,
  name: string,
  types: readonly Question['type'][],
  transport: DnsConfig['transport'],
  { deadlineAtMs, signal }: Bounds,
): Promise<{ said: DnsAnswers; packets: DecodedPacket[] }> {
  const startedAtMs = performance.now();
  const within = { deadlineAtMs: Math.min(deadlineAtMs, startedAtMs + SERVER_WITHIN_MS), signal };
  const base = { server: endpoint(server.addresses[0]?.address ?? '', server.port).slice(0, 100) };
  const tookMs = () => Math.round(performance.now() - startedAtMs);
  try {
    const packets = await Promise.all(types.map((type) => ask({ name, type }, server, transport, within)));
    const answers = [...new Set(packets.flatMap(({ answers = [] }) => answers.map(lineOf)))];
    const rcode = (packets[0] as (DecodedPacket & { rcode: string }) | undefined)?.rcode ?? null;
    return {
      said: { ...base, took_ms: tookMs(), rcode, error: null, answers: answers.slice(0, MAX_ANSWERS) },
      packets,
    };
  } catch (error) {
    const said = { ...base, took_ms: tookMs(), rcode: null, error: findingOf(error).detail, answers: [] };
    return { said, packets: [] };
  }
}

const isPrivate = (address: string) => !networkAccess(address, { allowPrivate: false }).allowed;

/** Removes the server's address, from errors too. */
const unnamed = (said: DnsAnswers, name: string): DnsAnswers => ({
  ...said,
  server: name,
  error: said.error?.replaceAll(said.server, name) ?? null,
});

type Answer = NonNullable<DecodedPacket['answers']>[number];

/** The record as a line of a zone file. */
function lineOf(answer: Answer): string {
  const { name, type, ttl } = answer as Answer & { ttl?: number };
  const value = recordValue(answer) ?? '';
  return printable(`${name} ${ttl ?? ''} ${type} ${value}`, 400);
}

/** The zone of a name, by the authority that a server names, and its name servers. */
async function zoneOf(
  server: NameServer,
  name: string,
  transport: DnsConfig['transport'],
  { deadlineAtMs, signal }: Bounds,
): Promise<Dns['zone']> {
  const within = { deadlineAtMs: Math.min(deadlineAtMs, performance.now() + SERVER_WITHIN_MS), signal };
  const servers = (packet: DecodedPacket) =>
    (packet.answers ?? []).flatMap((record) => (record.type === 'NS' ? (recordValue(record) ?? []) : []));
  const shown = (zone: string, names: readonly string[]) =>
    names.length === 0
      ? null
      : { name: printable(zone, 300), name_servers: names.slice(0, 10).map((each) => printable(each, 255)) };
  const own = await ask({ name, type: 'NS' }, server, transport, within);
  if (servers(own).length > 0) return shown(name, servers(own));
  const zone = (own.authorities ?? []).find(({ type }) => type === 'SOA')?.name;
  if (zone === undefined || zone === '.' || zone === '') return null;
  return shown(zone, servers(await ask({ name: zone, type: 'NS' }, server, transport, within)));
}
