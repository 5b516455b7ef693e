// Every monitor type there is: a new one is a folder in types/ and a line here.

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
import type { TypeRules } from './types/rules.ts';
import { service } from './types/service/rules.ts';
import { tcp } from './types/tcp/rules.ts';
import { tls } from './types/tls/rules.ts';
import { udp } from './types/udp/rules.ts';
import { websocket } from './types/websocket/rules.ts';

const ALL = [
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
] as unknown as readonly TypeRules[];

export const TYPES: ReadonlyMap<string, TypeRules> = new Map(ALL.map((rules) => [rules.type, rules]));
