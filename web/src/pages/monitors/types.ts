// Every monitor type as the form knows it.
import type { MonitorType } from '#src/domain/names.ts';
import { agent } from './types/agent/type.ts';
import { database } from './types/database/type.ts';
import { dns } from './types/dns/type.ts';
import { domain } from './types/domain/type.ts';
import { type AnyType, formType } from './types/form-type.ts';
import { group } from './types/group/type.ts';
import { grpc } from './types/grpc/type.ts';
import { heartbeat } from './types/heartbeat/type.ts';
import { http } from './types/http/type.ts';
import { mail } from './types/mail/type.ts';
import { ping } from './types/ping/type.ts';
import { service } from './types/service/type.ts';
import { tcp } from './types/tcp/type.ts';
import { tls } from './types/tls/type.ts';
import { udp } from './types/udp/type.ts';
import { websocket } from './types/websocket/type.ts';

export const FORM_TYPES: Readonly<Record<MonitorType, AnyType>> = {
  http: formType(http),
  tcp: formType(tcp),
  ping: formType(ping),
  dns: formType(dns),
  tls: formType(tls),
  domain: formType(domain),
  websocket: formType(websocket),
  grpc: formType(grpc),
  mail: formType(mail),
  udp: formType(udp),
  database: formType(database),
  heartbeat: formType(heartbeat),
  agent: formType(agent),
  service: formType(service),
  group: formType(group),
};
