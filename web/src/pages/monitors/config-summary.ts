// What a monitor watches, in one line: for lists, heads, and as a name where none was typed.
import type { TFunction } from 'i18next';
import type { MonitorType } from '#src/domain/names.ts';
import type { AgentConfig } from '#src/monitors/types/agent/config.ts';
import { DATABASE_PORTS, type DatabaseConfig } from '#src/monitors/types/database/config.ts';
import type { DnsConfig } from '#src/monitors/types/dns/config.ts';
import type { DomainConfig } from '#src/monitors/types/domain/config.ts';
import type { GroupConfig } from '#src/monitors/types/group/config.ts';
import type { GrpcConfig } from '#src/monitors/types/grpc/config.ts';
import type { HeartbeatConfig } from '#src/monitors/types/heartbeat/config.ts';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import { MAIL_PORTS, type MailConfig } from '#src/monitors/types/mail/config.ts';
import type { PingConfig } from '#src/monitors/types/ping/config.ts';
import type { ServiceConfig } from '#src/monitors/types/service/config.ts';
import type { TcpConfig } from '#src/monitors/types/tcp/config.ts';
import type { TlsConfig } from '#src/monitors/types/tls/config.ts';
import type { UdpConfig } from '#src/monitors/types/udp/config.ts';
import type { WebsocketConfig } from '#src/monitors/types/websocket/config.ts';
import type { Formats } from '#web/format.ts';

type Configs = {
  http: HttpConfig;
  tcp: TcpConfig;
  ping: PingConfig;
  dns: DnsConfig;
  tls: TlsConfig;
  domain: DomainConfig;
  websocket: WebsocketConfig;
  grpc: GrpcConfig;
  mail: MailConfig;
  udp: UdpConfig;
  database: DatabaseConfig;
  heartbeat: HeartbeatConfig;
  agent: AgentConfig;
  service: ServiceConfig;
  group: GroupConfig;
};

/** Host and port; IPv6 in brackets. Nothing while there is no host: the form asks while it is still empty. */
function address(host: string, port: number | null): string {
  if (host === '') return '';
  const bracketed = /^[0-9a-f.]*:[0-9a-f:.]*$/i.test(host) ? `[${host}]` : host;
  return port === null ? bracketed : `${bracketed}:${port}`;
}

const behind = (word: string, target: string) => (target === '' ? '' : `${word} ${target}`);

const SIGNS = { gt: '>', gte: '≥', lt: '<', lte: '≤' } as const;

const TARGETS: { [T in MonitorType]: (config: Configs[T], t: TFunction, formats: Formats) => string } = {
  http: ({ url }) => url.replace(/^https?:\/\//, '').replace(/\/$/, ''),
  websocket: ({ url }) => url.replace(/\/$/, ''),
  tcp: ({ host, port }) => address(host, port),
  udp: ({ host, port }) => address(host, port),
  grpc: ({ host, port, service }) => `${address(host, port)}${service === '' ? '' : `/${service}`}`,
  ping: ({ host }) => host,
  tls: ({ host, port }) => address(host, port),
  dns: ({ host, record_type }) => behind(record_type, host),
  domain: ({ domain }) => domain,
  mail: ({ protocol, host, port, security }) =>
    behind(protocol.toUpperCase(), address(host, port ?? MAIL_PORTS[protocol][security])),
  database: ({ engine, host, port, database }) => {
    const where = address(host, port ?? DATABASE_PORTS[engine]);
    return where === '' || database === null ? where : `${where}/${database}`;
  },
  heartbeat: ({ schedule }, t, formats) =>
    schedule.kind === 'cron'
      ? `${schedule.expression} (${schedule.timezone})`
      : t('types.every', { duration: formats.durationInWords(schedule.period_seconds) }),
  agent: ({ metric, op, threshold }) =>
    op === null || threshold === null ? metric : `${metric} ${SIGNS[op]} ${threshold}`,
  service: ({ service }) => service,
  group: ({ members }, t) => t('types.members', { count: members.length }),
};

/** What is watched, in one line; "" where nothing is said yet. */
export function targetOf(
  { type, config }: { type: string; config: unknown },
  t: TFunction,
  formats: Formats,
): string {
  const target = (TARGETS as Record<string, (config: never, t: TFunction, formats: Formats) => string>)[type];
  return target === undefined ? '' : target(config as never, t, formats);
}

/** The address that a browser can open; null where there is none. */
export function linkOf({ type, config }: { type: string; config: unknown }): string | null {
  return type === 'http' ? (config as HttpConfig).url : null;
}
