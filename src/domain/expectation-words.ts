// Browser-safe. The answer that a monitor expects of its target, as a part of a sentence: "Expected …".
import { listed } from './failure-words.ts';
import type { MonitorType } from './names.ts';

type Config = Readonly<Record<string, unknown>>;

/** The expectation of a monitor in words: "a status in 200-299 within 10 s". `config` is the monitor's, complete. */
export function expectationWords(type: string, config: Config): string {
  return `${(WORDS as Partial<Record<string, (config: Config) => string>>)[type]?.(config) ?? 'a passing check'}${withinWords(config)}`;
}

/** The expectation that a failure of this class violates, in words. */
export function expectationOfClass(failureClass: string, type: string, config: Config): string {
  const isOf = (prefix: string) => failureClass.startsWith(prefix);
  if (isOf('dns_') && type !== 'dns') return `an address for the name${withinWords(config)}`;
  if (isOf('connect_')) return `a connection${withinWords(config)}`;
  if (failureClass === 'tls_timeout' || failureClass === 'tls_handshake')
    return `a TLS handshake${withinWords(config)}`;
  if (isOf('tls_') && type !== 'tls') return 'a valid certificate';
  if (isOf('header')) return 'the headers asked for';
  if (isOf('body_')) return 'the body asked for';
  if (isOf('json_')) return 'the JSON asked for';
  if (isOf('auth_')) return 'the sign-in to be accepted';
  return expectationWords(type, config);
}

const WORDS: Readonly<Record<MonitorType, (config: Config) => string>> = {
  http({ expected_status: expected }) {
    const ranges = texts(expected).length > 0 ? texts(expected) : ['200-299'];
    const only = ranges.length === 1 && !ranges[0]?.includes('-');
    return `a status ${only ? 'of' : 'in'} ${listed(ranges, 'or')}`;
  },
  tcp: ({ port, tls, expect }) =>
    answerWords(expect, `a ${tls === true ? 'TLS connection' : 'connection'} to port ${port}`),
  ping: ({ max_loss_pct: most }) => `at most ${most} % of packets lost`,
  dns({ record_type: type, expected, expected_rcode: rcode }) {
    if (rcode !== undefined && rcode !== 'NOERROR') return `the answer ${rcode} from DNS`;
    const { mode, values } = (expected ?? {}) as { mode?: string; values?: unknown };
    if (mode === undefined) return `an answer from DNS with a record of type ${type}`;
    const few = texts(values).slice(0, 5).map(short);
    const more = texts(values).length - few.length;
    const shown = more > 0 ? [...few, `${more} more`] : few;
    return `an answer from DNS with ${mode === 'exact' ? 'only ' : ''}${listed(shown, mode === 'any' ? 'or' : 'and')}`;
  },
  tls: ({ fail_days: days }) => validFor('certificate', days),
  domain: ({ fail_days: days }) => validFor('registration', days),
  websocket: ({ expect }) =>
    typeof expect === 'string' ? `a message with ${quoted(expect)}` : 'an open WebSocket',
  grpc: ({ service }) =>
    typeof service === 'string' && service !== ''
      ? `the gRPC service ${short(service)} serving`
      : 'the gRPC server serving',
  mail: ({ protocol, auth }) =>
    `${auth ? 'a sign-in to' : 'a greeting of'} the ${String(protocol).toUpperCase()} server`,
  udp: ({ expect }) => answerWords(expect, 'an answer'),
  database: ({ engine, query }) =>
    `${query ? 'the query to be answered' : 'an answer'} by ${ENGINES[String(engine)] ?? 'the database'}`,
  heartbeat({ schedule, grace_seconds: grace }) {
    const { kind, period_seconds: period, expression, timezone } = (schedule ?? {}) as Config;
    const when = kind === 'cron' ? `at ${expression} (${timezone})` : `every ${duration(Number(period))}`;
    return `a ping ${when}, at most ${duration(Number(grace))} late`;
  },
  agent({ metric, op, threshold }) {
    if (metric === 'online') return 'a host that reports';
    return `${short(String(metric))} ${PASSING[String(op)] ?? 'within'} ${threshold}`;
  },
  service({ service, expect, max_cpu_pct: cpu, max_mem_mb: memory }) {
    const most = [
      ...(typeof cpu === 'number' ? [`${cpu} % of CPU`] : []),
      ...(typeof memory === 'number' ? [`${memory} MB of memory`] : []),
    ];
    const within = most.length > 0 ? ` with at most ${listed(most, 'and')}` : '';
    return `the service ${short(String(service))} ${expect === 'stopped' ? 'stopped' : 'running'}${within}`;
  },
  group({ rule, value }) {
    if (rule === 'all_failed') return 'a member that has not failed';
    return rule === 'count' && value !== 1 ? `fewer than ${value} failed members` : 'no failed member';
  },
};

const ENGINES: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  redis: 'Redis',
};

/** A metric is down where `value op threshold` holds, so the passing condition is the opposite. */
const PASSING: Readonly<Record<string, string>> = {
  gt: 'of at most',
  gte: 'below',
  lt: 'of at least',
  lte: 'above',
};

function answerWords(expect: unknown, otherwise: string): string {
  return typeof expect === 'string' ? `an answer with ${quoted(expect)}` : otherwise;
}

function validFor(what: string, days: unknown): string {
  if (typeof days !== 'number' || days === 0) return `a valid ${what}`;
  return `a ${what} valid for ${days} more ${days === 1 ? 'day' : 'days'}`;
}

function withinWords({ timeout_ms: timeout }: Config): string {
  return typeof timeout === 'number' ? ` within ${timeout / 1000} s` : '';
}

/** "90 s", "5 min", "36 h", "7 days": in the largest unit that leaves nothing over. */
function duration(seconds: number): string {
  if (seconds >= 172_800 && seconds % 86_400 === 0) return `${seconds / 86_400} days`;
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600} h`;
  if (seconds >= 120 && seconds % 60 === 0) return `${seconds / 60} min`;
  return `${seconds} s`;
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
const quoted = (text: string): string => `"${short(text)}"`;
