// Every monitor type as the form knows it.
import type { MonitorType } from '#src/domain/names.ts';
import { type AnyKind, formKind } from './kind.ts';
import { agent } from './types/agent/kind.ts';
import { database } from './types/database/kind.ts';
import { dns } from './types/dns/kind.ts';
import { domain } from './types/domain/kind.ts';
import { group } from './types/group/kind.ts';
import { grpc } from './types/grpc/kind.ts';
import { heartbeat } from './types/heartbeat/kind.ts';
import { http } from './types/http/kind.ts';
import { mail } from './types/mail/kind.ts';
import { ping } from './types/ping/kind.ts';
import { service } from './types/service/kind.ts';
import { tcp } from './types/tcp/kind.ts';
import { tls } from './types/tls/kind.ts';
import { udp } from './types/udp/kind.ts';
import { websocket } from './types/websocket/kind.ts';

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
