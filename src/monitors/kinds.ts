// Every monitor type there is: a new one is a file in kinds/ and a line here.
import type { Kind } from './kind.ts';
import { agent } from './kinds/agent.ts';
import { database } from './kinds/database.ts';
import { dns } from './kinds/dns.ts';
import { domain } from './kinds/domain.ts';
import { group } from './kinds/group.ts';
import { grpc } from './kinds/grpc.ts';
import { heartbeat } from './kinds/heartbeat.ts';
import { http } from './kinds/http.ts';
import { mail } from './kinds/mail.ts';
import { ping } from './kinds/ping.ts';
import { service } from './kinds/service.ts';
import { tcp } from './kinds/tcp.ts';
import { tls } from './kinds/tls.ts';
import { udp } from './kinds/udp.ts';
import { websocket } from './kinds/websocket.ts';

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
] as unknown as readonly Kind[];

export const KINDS: ReadonlyMap<string, Kind> = new Map(ALL.map((kind) => [kind.type, kind]));
