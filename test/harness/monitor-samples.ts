// Configs of every monitor type: the minimum that a write must have, the same with its defaults, and one without any default
// value.
import type { MonitorType } from '#src/domain/names.ts';

type Config = Record<string, unknown>;
export type MonitorSample = { least: Config; defaults: Config; full: Config };

/** The references of the samples: an agent and a monitor of the organization. */
export type Referred = { agentId: string; memberId: string };

export function monitorSamples({ agentId, memberId }: Referred): Record<MonitorType, MonitorSample> {
  const host = { host: 'shop.example.com' };
  const latency = { degraded_after_ms: null, ip_family: 'auto' };
  const slow = { timeout_ms: 4000, degraded_after_ms: 900, ip_family: '6' };
  return {
    http: {
      least: { url: 'https://shop.example.com/health' },
      defaults: {
        ...latency,
        method: 'GET',
        headers: {},
        secret_headers: [],
        body: null,
        auth: null,
        timeout_ms: 10_000,
        follow_redirects: true,
        max_redirects: 10,
        expected_status: ['200-299'],
        keyword: null,
        json_assertions: [],
        header_assertions: [],
        tls: {
          verify: true,
          min_days_left: null,
          server_name: null,
          ca_pem: null,
          client_cert_pem: null,
          client_key_pem: null,
        },
        max_body_bytes: 1_048_576,
        cache_bust: false,
        keep_response: true,
      },
      full: { url: 'http://shop.example.com', method: 'POST', body: '{}', keep_response: false, ...slow },
    },
    tcp: {
      least: { ...host, port: 22 },
      defaults: { ...latency, tls: false, send: null, expect: null, timeout_ms: 5000 },
      full: { ...host, port: 443, tls: true, send: 'PING\r\n', expect: 'PONG', ...slow },
    },
    ping: {
      least: host,
      defaults: { ...latency, count: 3, timeout_ms: 5000, max_loss_pct: 50, degraded_loss_pct: 1 },
      full: { ...host, count: 5, max_loss_pct: 20.5, degraded_loss_pct: 10, ...slow },
    },
    dns: {
      least: { host: '_dmarc.example.com', record_type: 'TXT' },
      defaults: {
        resolver: null,
        port: 53,
        transport: 'udp',
        expected_rcode: 'NOERROR',
        expected: null,
        timeout_ms: 5000,
        degraded_after_ms: null,
      },
      full: {
        ...host,
        record_type: 'A',
        resolver: '9.9.9.9',
        port: 5353,
        transport: 'tcp',
        expected_rcode: 'NOERROR',
        expected: { mode: 'exact', values: ['203.0.113.1', '203.0.113.2'] },
        timeout_ms: 4000,
        degraded_after_ms: 900,
      },
    },
    tls: {
      least: host,
      defaults: {
        ...latency,
        port: 443,
        server_name: null,
        starttls: 'none',
        warn_days: 14,
        fail_days: 3,
        verify_chain: true,
        verify_hostname: true,
        timeout_ms: 10_000,
      },
      full: {
        ...host,
        port: 25,
        server_name: 'mail.example.com',
        starttls: 'smtp',
        warn_days: 30,
        fail_days: 30,
        verify_chain: false,
        verify_hostname: false,
        ...slow,
      },
    },
    domain: {
      least: { domain: 'example.com' },
      defaults: { warn_days: 30, fail_days: 7, timeout_ms: 20_000 },
      full: { domain: 'xn--bcher-kva.example', warn_days: 60, fail_days: 0, timeout_ms: 4000 },
    },
    websocket: {
      least: { url: 'wss://shop.example.com/live' },
      defaults: {
        ...latency,
        headers: {},
        secret_headers: [],
        subprotocol: null,
        send: null,
        expect: null,
        timeout_ms: 10_000,
      },
      full: {
        url: 'ws://shop.example.com:8080/live?a=b',
        headers: { Origin: 'https://shop.example.com' },
        secret_headers: ['X-Other'],
        subprotocol: 'graphql-transport-ws',
        send: '{"type":"ping"}',
        expect: 'pong',
        ...slow,
      },
    },
    grpc: {
      least: { ...host, port: 50_051 },
      defaults: {
        ...latency,
        service: '',
        tls: true,
        metadata: {},
        secret_metadata: [],
        timeout_ms: 5000,
      },
      full: {
        ...host,
        port: 443,
        service: 'shop.v1.Cart',
        tls: false,
        metadata: { 'x-tenant': 'a', 'trace-bin': 'AAECAw==' },
        secret_metadata: ['x-other'],
        ...slow,
      },
    },
    mail: {
      least: { ...host, protocol: 'smtp' },
      defaults: { ...latency, port: null, security: 'none', auth: null, timeout_ms: 10_000 },
      full: { ...host, protocol: 'imap', port: 1993, security: 'tls', auth: null, ...slow },
    },
    udp: {
      least: { ...host, port: 27_015, payload: 'ping' },
      defaults: { ...latency, encoding: 'text', expect: null, timeout_ms: 3000 },
      full: { ...host, port: 123, payload: 'ffFF00', encoding: 'hex', expect: '00', ...slow },
    },
    database: {
      least: { ...host, engine: 'postgres' },
      defaults: {
        ...latency,
        port: null,
        username: null,
        password: null,
        database: null,
        tls: false,
        query: null,
        timeout_ms: 10_000,
      },
      full: {
        ...host,
        engine: 'redis',
        port: 6380,
        username: 'reader',
        password: null,
        database: '3',
        tls: true,
        query: 'GET health',
        ...slow,
      },
    },
    heartbeat: {
      least: { schedule: { kind: 'period', period_seconds: 300 } },
      defaults: { grace_seconds: 60, max_runtime_seconds: null },
      full: {
        schedule: { kind: 'cron', expression: '*/5 8-18 * * mon-fri', timezone: 'Europe/Berlin' },
        grace_seconds: 0,
        max_runtime_seconds: 30,
      },
    },
    agent: {
      least: { agent_id: agentId, metric: 'online' },
      defaults: { op: null, threshold: null, degraded_threshold: null, window_seconds: 300 },
      full: {
        agent_id: agentId,
        metric: 'disk_pct:/var/lib',
        op: 'gte',
        threshold: 95,
        degraded_threshold: 80.5,
        window_seconds: 600,
      },
    },
    service: {
      least: { agent_id: agentId, service: 'nginx.service', kind: 'systemd' },
      defaults: { expect: 'running', max_cpu_pct: null, max_mem_mb: null },
      full: {
        agent_id: agentId,
        service: 'backup job',
        kind: 'process',
        expect: 'stopped',
        max_cpu_pct: 150,
        max_mem_mb: 0.5,
      },
    },
    group: {
      least: { members: [memberId] },
      defaults: { rule: 'any_failed', value: null },
      full: { members: [memberId], rule: 'count', value: 1 },
    },
  };
}
