// What the form holds while a monitor is written: every field present, lists instead of maps, numbers or '' for "not set".
import type { HttpConfig } from '../../../../../src/monitors/config/http.ts';
import type { Monitor, PolicyWrite } from '../../../../../src/monitors/contract.ts';

export type Amount = number | '';

export type MonitorValues = {
  name: string;
  interval_seconds: Amount;
  regions: string[];
  config: {
    url: string;
    method: HttpConfig['method'];
    headers: { name: string; value: string; secret: boolean }[];
    body: string;
    auth: { kind: 'none' | 'basic' | 'bearer'; username: string; password: string; token: string };
    timeout_ms: Amount;
    follow_redirects: boolean;
    max_redirects: Amount;
    ip_family: HttpConfig['ip_family'];
    cache_bust: boolean;
    expected_status: string[];
    degraded_after_ms: Amount;
    keyword: { text: string; mode: 'contains' | 'not_contains' | 'regex'; case_sensitive: boolean };
    json_assertions: Assertion<'path'>[];
    header_assertions: Assertion<'name'>[];
    tls: {
      verify: boolean;
      min_days_left: Amount;
      server_name: string;
      ca_pem: string;
      client_cert_pem: string;
      client_key_pem: string;
    };
  };
  policy: {
    alarm_consecutive: Amount;
    alarm_min_duration_seconds: Amount;
    alarm_quorum_mode: string;
    alarm_quorum_value: Amount;
    recovery_consecutive: Amount;
    recovery_quorum_mode: string;
    recovery_quorum_value: Amount;
    failed_interval_seconds: Amount;
  };
};

export const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'exists', 'matches'] as const;
export type Operator = (typeof OPERATORS)[number];

export type Assertion<Key extends 'path' | 'name'> = { [K in Key]: string } & { op: Operator; value: string };

const POLICY_FIELDS = [
  'alarm_consecutive',
  'alarm_min_duration_seconds',
  'alarm_quorum_mode',
  'alarm_quorum_value',
  'recovery_consecutive',
  'recovery_quorum_mode',
  'recovery_quorum_value',
  'failed_interval_seconds',
] as const;

/** A form that has not been touched; the server's defaults, written out. */
export const NEW_MONITOR: MonitorValues = {
  name: '',
  interval_seconds: 60,
  regions: [],
  config: {
    url: '',
    method: 'GET',
    headers: [],
    body: '',
    auth: { kind: 'none', username: '', password: '', token: '' },
    timeout_ms: '',
    follow_redirects: true,
    max_redirects: 10,
    ip_family: 'auto',
    cache_bust: false,
    expected_status: ['200-299'],
    degraded_after_ms: '',
    keyword: { text: '', mode: 'contains', case_sensitive: false },
    json_assertions: [],
    header_assertions: [],
    tls: {
      verify: true,
      min_days_left: '',
      server_name: '',
      ca_pem: '',
      client_cert_pem: '',
      client_key_pem: '',
    },
  },
  policy: {
    alarm_consecutive: '',
    alarm_min_duration_seconds: '',
    alarm_quorum_mode: '',
    alarm_quorum_value: '',
    recovery_consecutive: '',
    recovery_quorum_mode: '',
    recovery_quorum_value: '',
    failed_interval_seconds: '',
  },
};

/** A JSON value as it is typed: strings that cannot be mistaken for JSON stay bare. */
function typed(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}

/** The way back: JSON where it is JSON, text where it is not. */
function meant(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The form's values of an existing `http` monitor. */
export function valuesOf(monitor: Monitor): MonitorValues {
  const config = monitor.config as HttpConfig;
  const sealed = new Set(config.secret_headers.map((name) => name.toLowerCase()));
  const auth = config.auth;
  const policy = { ...NEW_MONITOR.policy };
  for (const field of POLICY_FIELDS) {
    const value = monitor.policy?.[field];
    if (value !== null && value !== undefined) (policy as Record<string, unknown>)[field] = value;
  }
  return {
    name: monitor.name,
    interval_seconds: monitor.interval_seconds,
    regions: monitor.regions,
    config: {
      url: config.url,
      method: config.method,
      headers: Object.entries(config.headers).map(([name, value]) => ({
        name,
        value,
        secret: sealed.has(name.toLowerCase()),
      })),
      body: config.body ?? '',
      auth: {
        kind: auth?.kind ?? 'none',
        username: auth?.kind === 'basic' ? auth.username : '',
        password: auth?.kind === 'basic' ? auth.password : '',
        token: auth?.kind === 'bearer' ? auth.token : '',
      },
      timeout_ms: config.timeout_ms,
      follow_redirects: config.follow_redirects,
      max_redirects: config.max_redirects,
      ip_family: config.ip_family,
      cache_bust: config.cache_bust,
      expected_status: config.expected_status,
      degraded_after_ms: config.degraded_after_ms ?? '',
      keyword: config.keyword ?? NEW_MONITOR.config.keyword,
      json_assertions: config.json_assertions.map(({ path, op, value }) => ({
        path,
        op,
        value: typed(value),
      })),
      header_assertions: config.header_assertions.map(({ name, op, value }) => ({
        name,
        op,
        value: value ?? '',
      })),
      tls: {
        verify: config.tls.verify,
        min_days_left: config.tls.min_days_left ?? '',
        server_name: config.tls.server_name ?? '',
        ca_pem: config.tls.ca_pem ?? '',
        client_cert_pem: config.tls.client_cert_pem ?? '',
        client_key_pem: config.tls.client_key_pem ?? '',
      },
    },
    policy,
  };
}

const orNull = <T extends string | number>(value: T | ''): T | null => (value === '' ? null : value);

function authOf(auth: MonitorValues['config']['auth']): HttpConfig['auth'] {
  if (auth.kind === 'basic') return { kind: 'basic', username: auth.username, password: auth.password };
  if (auth.kind === 'bearer') return { kind: 'bearer', token: auth.token };
  return null;
}

/** The `config` that the interface takes; a timeout left empty is the server's to choose. */
export function configOf({ config }: MonitorValues): Record<string, unknown> {
  const { tls } = config;
  const headers = config.headers.filter((header) => header.name.trim() !== '');
  return {
    url: config.url.trim(),
    method: config.method,
    headers: Object.fromEntries(headers.map((header) => [header.name.trim(), header.value])),
    secret_headers: headers.filter((header) => header.secret).map((header) => header.name.trim()),
    body: orNull(config.body),
    auth: authOf(config.auth),
    ...(config.timeout_ms === '' ? {} : { timeout_ms: config.timeout_ms }),
    follow_redirects: config.follow_redirects,
    ...(config.max_redirects === '' ? {} : { max_redirects: config.max_redirects }),
    ip_family: config.ip_family,
    cache_bust: config.cache_bust,
    expected_status: config.expected_status,
    degraded_after_ms: orNull(config.degraded_after_ms),
    keyword: config.keyword.text === '' ? null : config.keyword,
    json_assertions: config.json_assertions.map(({ path, op, value }) =>
      op === 'exists' ? { path, op } : { path, op, value: op === 'matches' ? value : meant(value) },
    ),
    header_assertions: config.header_assertions.map(({ name, op, value }) =>
      op === 'exists' ? { name, op } : { name, op, value },
    ),
    tls: {
      verify: tls.verify,
      min_days_left: orNull(tls.min_days_left),
      server_name: orNull(tls.server_name.trim()),
      ca_pem: orNull(tls.ca_pem),
      client_cert_pem: orNull(tls.client_cert_pem),
      client_key_pem: orNull(tls.client_key_pem),
    },
  };
}

/** The policy as written: what is empty is inherited, said with null. */
export function policyOf({ policy }: MonitorValues): PolicyWrite {
  return Object.fromEntries(POLICY_FIELDS.map((field) => [field, orNull(policy[field])])) as PolicyWrite;
}

/** Only what differs from the monitor as it was read, so that an untouched field is never written back. */
export function changesOf(values: MonitorValues, before: MonitorValues): Record<string, unknown> {
  const now = { ...values, config: configOf(values), policy: policyOf(values) };
  const was = { ...before, config: configOf(before), policy: policyOf(before) };
  const changed = (after: Record<string, unknown>, prior: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(after).filter(([key, v]) => JSON.stringify(v) !== JSON.stringify(prior[key])),
    );
  const top = changed(now, was);
  if (top.config !== undefined) top.config = changed(now.config, was.config);
  if (top.policy !== undefined) top.policy = changed(now.policy, was.policy);
  return top;
}
