// The fields of every type, beside what types.ts knows of it.
import type { MonitorType } from '#src/domain/names.ts';
import { agentFields } from './types/agent/AgentFields.tsx';
import { databaseFields } from './types/database/DatabaseFields.tsx';
import { dnsFields } from './types/dns/DnsFields.tsx';
import { domainFields } from './types/domain/DomainFields.tsx';
import { groupFields } from './types/group/GroupFields.tsx';
import { grpcFields } from './types/grpc/GrpcFields.tsx';
import { heartbeatFields } from './types/heartbeat/HeartbeatFields.tsx';
import { httpFields } from './types/http/HttpFields.tsx';
import { mailFields } from './types/mail/MailFields.tsx';
import { pingFields } from './types/ping/PingFields.tsx';
import { serviceFields } from './types/service/ServiceFields.tsx';
import { tcpFields } from './types/tcp/TcpFields.tsx';
import { tlsFields } from './types/tls/TlsFields.tsx';
import type { TypeFields } from './types/type-fields.ts';
import { udpFields } from './types/udp/UdpFields.tsx';
import { websocketFields } from './types/websocket/WebsocketFields.tsx';

export const TYPE_FIELDS: Readonly<Record<MonitorType, TypeFields>> = {
  http: httpFields,
  tcp: tcpFields,
  ping: pingFields,
  dns: dnsFields,
  tls: tlsFields,
  domain: domainFields,
  websocket: websocketFields,
  grpc: grpcFields,
  mail: mailFields,
  udp: udpFields,
  database: databaseFields,
  heartbeat: heartbeatFields,
  agent: agentFields,
  service: serviceFields,
  group: groupFields,
};
