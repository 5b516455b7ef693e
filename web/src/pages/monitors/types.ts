// Every monitor type. A new type is a folder in types/ and a line here; everything else is derived from it.
import type { TFunction } from 'i18next';
import type { MonitorType } from '#src/domain/names.ts';
import type { Formats } from '#web/format.ts';
import { agent } from './types/agent/type.ts';
import { database } from './types/database/type.ts';
import { dns } from './types/dns/type.ts';
import { domain } from './types/domain/type.ts';
import { group } from './types/group/type.ts';
import { grpc } from './types/grpc/type.ts';
import { heartbeat } from './types/heartbeat/type.ts';
import { http } from './types/http/type.ts';
import { mail } from './types/mail/type.ts';
import { type MonitorTypeParts, TYPE_GROUPS } from './types/monitor-type.ts';
import { ping } from './types/ping/type.ts';
import { service } from './types/service/type.ts';
import { tcp } from './types/tcp/type.ts';
import { tls } from './types/tls/type.ts';
import { udp } from './types/udp/type.ts';
import { websocket } from './types/websocket/type.ts';

/** The parts of any type; each accepts only its own configs. */
type Any = MonitorTypeParts<never>;

/** In the order in which they are offered. */
export const TYPES: Readonly<Record<MonitorType, Any>> = {
  http,
  websocket,
  grpc,
  tcp,
  udp,
  ping,
  dns,
  tls,
  domain,
  mail,
  database,
  heartbeat,
  agent,
  service,
  group,
};

export const isOffered = (type: MonitorType): boolean => TYPES[type].offered !== undefined;

/** The types for a new monitor, under their headings. */
export const OFFERED_TYPES = TYPE_GROUPS.map((group) => ({
  group,
  types: (Object.keys(TYPES) as MonitorType[]).flatMap((type) => {
    const { offered } = TYPES[type];
    return offered?.group === group ? [{ type, Icon: offered.icon }] : [];
  }),
}));

/** A monitor's type, or undefined if this dashboard does not know it. */
const partsOf = (type: string): MonitorTypeParts<unknown> | undefined =>
  (TYPES as Readonly<Record<string, unknown>>)[type] as MonitorTypeParts<unknown> | undefined;

/** The target in one line; "" if there is none yet. */
export function targetOf(
  { type, config }: { type: string; config: unknown },
  t: TFunction,
  formats: Formats,
): string {
  return partsOf(type)?.target(config, t, formats) ?? '';
}

/** The URL that a browser can open; null if there is none. */
export function linkOf({ type, config }: { type: string; config: unknown }): string | null {
  return partsOf(type)?.link?.(config) ?? null;
}
