// The rules of every monitor type. A new type is a folder in types/ and a line here.
import type { MonitorType } from '../domain/names.ts';
import { refuse } from '../platform/refusals.ts';
import { agent } from './types/agent/rules.ts';
import { database } from './types/database/rules.ts';
import { dns } from './types/dns/rules.ts';
import { domain } from './types/domain/rules.ts';
import { group } from './types/group/rules.ts';
import { grpc } from './types/grpc/rules.ts';
import { heartbeat } from './types/heartbeat/rules.ts';
import { http } from './types/http/rules.ts';
import { mail } from './types/mail/rules.ts';
import { ping } from './types/ping/rules.ts';
import { quoted, type TypeRules } from './types/rules.ts';
import { service } from './types/service/rules.ts';
import { tcp } from './types/tcp/rules.ts';
import { tls } from './types/tls/rules.ts';
import { udp } from './types/udp/rules.ts';
import { websocket } from './types/websocket/rules.ts';

/** The rules of any type; each reads only configs of its own. */
type Any = TypeRules<never>;

const RULES: Readonly<Record<MonitorType, Any>> = {
  http,
  tcp,
  ping,
  dns,
  tls,
  domain,
  websocket,
  grpc,
  mail,
  udp,
  database,
  heartbeat,
  agent,
  service,
  group,
};

export const TYPES: ReadonlyMap<string, TypeRules> = new Map(
  Object.entries(RULES) as [string, unknown][] as [string, TypeRules][],
);

/** The rules of a stored monitor. Throws if a newer version wrote the type. */
export function rulesOf(type: string): TypeRules {
  const rules = TYPES.get(type);
  if (!rules) throw new Error(`no monitor type ${type} in this version`);
  return rules;
}

/** The rules of the type that a client names, or `unknown_type`. */
export function validType(type: string): TypeRules {
  const rules = TYPES.get(type);
  if (rules) return rules;
  const known = [...TYPES.keys()].join(', ');
  return refuse('unknown_type', `type ${quoted(type)} is unknown; it must be one of ${known}.`, {
    field: 'type',
  });
}
