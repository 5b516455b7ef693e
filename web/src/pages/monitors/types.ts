// Every monitor type as the form knows it.
import type { MonitorType } from '#src/domain/names.ts';
import { agent } from './types/agent/type.ts';
import { database } from './types/database/type.ts';
import { dns } from './types/dns/type.ts';
import { domain } from './types/domain/type.ts';
import { group } from './types/group/type.ts';
import { grpc } from './types/grpc/type.ts';
import { heartbeat } from './types/heartbeat/type.ts';
import { http } from './types/http/type.ts';
import { mail } from './types/mail/type.ts';
import { type AnyKind, formKind } from './types/monitor-type.ts';
import { ping } from './types/ping/type.ts';
import { service } from './types/service/type.ts';
import { tcp } from './types/tcp/type.ts';
import { tls } from './types/tls/type.ts';
import { udp } from './types/udp/type.ts';
import { websocket } from './types/websocket/type.ts';

export const FORM_KINDS: Readonly<Record<MonitorType, AnyKind>> = {
  http: formKind(http),
  tcp: formKind(tcp),
  ping: formKind(ping),
  dns: formKind(dns),
  tls: formKind(tls),
  domain: formKind(domain),
  websocket: formKind(websocket),
  grpc: formKind(grpc),
  mail: formKind(mail),
  udp: formKind(udp),
  database: formKind(database),
  heartbeat: formKind(heartbeat),
  agent: formKind(agent),
  service: formKind(service),
  group: formKind(group),
};
