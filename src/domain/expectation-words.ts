// Browser-safe. The answer that a monitor expects of its target, as a part of a sentence: "Expected …".
import { EXPECTATIONS, type Expectation, WITHIN } from './expectation-phrases.ts';
import { listed } from './failure-words.ts';
import type { MonitorType } from './names.ts';
import { filledIn, type Values } from './phrases.ts';

type Config = Readonly<Record<string, unknown>>;

const say = (key: Expectation, values: Values = {}): string => filledIn(EXPECTATIONS[key].en, values);

/** The expectation of a monitor in words: "a status in 200-299 within 10 s". `config` is the monitor's, complete. */
export function expectationWords(type: string, config: Config): string {
  const words = (WORDS as Partial<Record<string, (config: Config) => string>>)[type]?.(config);
  return within(words ?? say('passing'), config);
}

/** The expectation that a failure of this class violates, in words. */
export function expectationOfClass(failureClass: string, type: string, config: Config): string {
  const isOf = (prefix: string) => failureClass.startsWith(prefix);
  if (isOf('dns_') && type !== 'dns') return within(say('address'), config);
  if (isOf('connect_')) return within(say('connection'), config);
  if (failureClass === 'tls_timeout' || failureClass === 'tls_handshake')
    return within(say('handshake'), config);
  if (isOf('tls_') && type !== 'tls') return say('certificate');
  if (isOf('header')) return say('headers');
  if (isOf('body_')) return say('body');
  if (isOf('json_')) return say('json');
  if (isOf('auth_')) return say('sign_in');
  return expectationWords(type, config);
}

/** What a group with this rule expects of its members. */
export function expectationOfGroup(rule: string, value: number | null): string {
  if (rule === 'all_failed') return say('all_failed');
  return rule === 'count' && value !== null && value > 1
    ? say('count_failed', { count: value })
    : say('any_failed');
}

/** What a group expects of one of its members. */
export const expectationOfMember = (name: string): string => say('member', { member: name });

const WORDS: Readonly<Record<MonitorType, (config: Config) => string>> = {
  http({ expected_status: expected }) {
    const ranges = texts(expected).length > 0 ? texts(expected) : ['200-299'];
    const only = ranges.length === 1 && !ranges[0]?.includes('-');
    return say(only ? 'status_of' : 'status_in', { ranges: listed(ranges, 'or') });
  },
  tcp: ({ port, tls, expect }) =>
    answerWords(expect, say(tls === true ? 'tls_port' : 'port', { port: String(port) })),
  ping: ({ max_loss_pct: most }) => say('loss', { pct: String(most) }),
  dns({ record_type: type, expected, expected_rcode: rcode }) {
    if (rcode !== undefined && rcode !== 'NOERROR') return say('dns_rcode', { rcode: String(rcode) });
    const { mode, values } = (expected ?? {}) as { mode?: string; values?: unknown };
    if (mode === undefined) return say('dns_record', { type: String(type) });
    const few = texts(values).slice(0, 5).map(short);
    const more = texts(values).length - few.length;
    const shown = more > 0 ? [...few, `${more} more`] : few;
    return say(mode === 'exact' ? 'dns_only' : 'dns_with', {
      values: listed(shown, mode === 'any' ? 'or' : 'and'),
    });
  },
  tls: ({ fail_days: days }) => validFor('certificate', days),
  domain: ({ fail_days: days }) => validFor('registration', days),
  websocket: ({ expect }) =>
    typeof expect === 'string' ? say('websocket_message', { text: quoted(expect) }) : say('open_websocket'),
  grpc: ({ service }) =>
    typeof service === 'string' && service !== ''
      ? say('grpc_service', { service: short(service) })
      : say('grpc_server'),
  mail: ({ protocol, auth }) =>
    say(auth ? 'mail_sign_in' : 'mail_greeting', { protocol: String(protocol).toUpperCase() }),
  udp: ({ expect }) => answerWords(expect, say('answer')),
  database: ({ engine, query }) =>
    say(query ? 'database_query' : 'database', { engine: ENGINES[String(engine)] ?? 'the database' }),
  heartbeat({ schedule, grace_seconds: seconds }) {
    const { kind, period_seconds: period, expression, timezone } = (schedule ?? {}) as Config;
    const grace = duration(Number(seconds));
    return kind === 'cron'
      ? say('heartbeat_cron', { expression: String(expression), timezone: String(timezone), grace })
      : say('heartbeat', { period: duration(Number(period)), grace });
  },
  agent({ metric, op, threshold }) {
    if (metric === 'online') return say('host');
    return say(PASSING[String(op)] ?? 'at_most', {
      metric: short(String(metric)),
      threshold: String(threshold),
    });
  },
  service({ service: name, expect, max_cpu_pct: cpu, max_mem_mb: memory }) {
    const service = short(String(name));
    if (expect === 'stopped') return say('service_stopped', { service });
    const limits = [
      ...(typeof cpu === 'number' ? [`${cpu} % of CPU`] : []),
      ...(typeof memory === 'number' ? [`${memory} MB of memory`] : []),
    ];
    return limits.length === 0
      ? say('service_running', { service })
      : say('service_running_with', { service, limits: listed(limits, 'and') });
  },
  group: ({ rule, value }) => expectationOfGroup(String(rule), typeof value === 'number' ? value : null),
};

const ENGINES: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  redis: 'Redis',
};

/** A metric is down where `value op threshold` holds, so the passing condition is the opposite. */
const PASSING: Readonly<Record<string, Expectation>> = {
  gt: 'at_most',
  gte: 'below',
  lt: 'at_least',
  lte: 'above',
};

const answerWords = (expect: unknown, otherwise: string): string =>
  typeof expect === 'string' ? say('answer_with', { text: quoted(expect) }) : otherwise;

function validFor(what: 'certificate' | 'registration', days: unknown): string {
  if (typeof days !== 'number' || days === 0) return say(what);
  return days === 1 ? say(`${what}_day`) : say(`${what}_days`, { days });
}

const within = (expectation: string, { timeout_ms: timeout }: Config): string =>
  typeof timeout === 'number'
    ? filledIn(WITHIN.within.en, { expectation, seconds: timeout / 1000 })
    : expectation;

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
