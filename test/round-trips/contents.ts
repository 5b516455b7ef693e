// What the things of a walk have in them: valid settings of every kind, often at a limit.
import { MONITOR_TYPES, type MonitorType } from '#src/domain/names.ts';
import { monitorSamples } from '../harness/monitor-samples.ts';
import type { Chance } from '../simulation/chance.ts';

type Fields = Record<string, unknown>;
/** Monitors are named by number, in the order in which the walk makes them. */
export type Made = { type: MonitorType; config: Fields; members: readonly number[]; fields: Fields };

/** What watches a host is made only where the walk has one. */
const HOST_TYPES = ['agent', 'service'] as const;
const TYPES = MONITOR_TYPES.filter((type) => type !== 'agent' && type !== 'service' && type !== 'group');

/** Names that look like something else: a path, a number, a variable, a formula, YAML. */
const NAMES = [
  ...['A', 'B', 'C', 'A/B', 'B/C', 'A/B/C', 'B/A', '1', 'null', 'true', '~', '- x', 'x: y', '#1', '=1+1'],
  ...['$' + '{HOME}', '$$', '••••', '"', "'", '\\', '<b>', 'Größe Ω', '日本', 'a'.repeat(200), '🚦', '0x10'],
];
export const nameOf = (random: Chance): string => random.one(random.happens(0.6) ? NAMES.slice(0, 7) : NAMES);

/** Fields that are valid only together: taken from one sample. */
const TOGETHER: Partial<Record<MonitorType, readonly string[]>> = {
  dns: ['host', 'record_type', 'expected'],
  tls: ['warn_days', 'fail_days', 'port', 'starttls'],
  ping: ['max_loss_pct', 'degraded_loss_pct'],
  domain: ['warn_days', 'fail_days'],
  mail: ['protocol', 'port', 'security', 'auth'],
  udp: ['payload', 'encoding', 'expect'],
  database: ['engine', 'username', 'query', 'port', 'database', 'password'],
  grpc: ['metadata', 'secret_metadata'],
  websocket: ['headers', 'secret_headers'],
  http: ['method', 'body', 'url'],
  agent: ['metric', 'op', 'threshold', 'degraded_threshold'],
  service: ['service', 'kind', 'expect'],
};

/** A config between the least and the fullest one of a type. */
export function configOf(type: MonitorType, random: Chance): Fields {
  const { least, defaults, full } = monitorSamples({ agentId: '', memberId: '' })[type];
  const whole = random.happens(0.5) ? full : least;
  const together = new Set(TOGETHER[type]);
  const config: Fields = { ...least };
  for (const field of Object.keys({ ...defaults, ...full })) {
    const from = together.has(field) ? whole : random.one([full, defaults, {}, {}] as const);
    if (field in from) config[field] = (from as Fields)[field];
    else if (together.has(field)) delete config[field];
  }
  for (const field of Object.keys(least)) config[field] ??= least[field];
  return { ...config, ...extrasOf(type, config, random) };
}

function extrasOf(type: MonitorType, config: Fields, random: Chance): Fields {
  const timeout = random.happens(0.3) ? { timeout_ms: random.one([1000, 9999, 10_000]) } : {};
  switch (type) {
    case 'http':
      return {
        ...timeout,
        ...(random.happens(0.4)
          ? {
              headers: { Authorization: 'Bearer one', 'X-Key': 'a b', Accept: '*/*' },
              secret_headers: random.one([[], ['x-key'], ['X-Key', 'Accept']]),
            }
          : {}),
        ...(random.happens(0.3) ? { auth: { kind: 'basic', username: 'u', password: 'p w' } } : {}),
        ...(random.happens(0.3)
          ? { expected_status: random.one([['200'], ['100-599'], ['204', '301-302']]) }
          : {}),
        ...(random.happens(0.2) ? { max_redirects: random.one([0, 1, 20]) } : {}),
        ...(random.happens(0.2) ? { tls: { verify: false, min_days_left: random.one([null, 0, 365]) } } : {}),
      };
    case 'heartbeat':
      return random.happens(0.5)
        ? { grace_seconds: random.one([0, 60, 86_400]) }
        : random.happens(0.5)
          ? {
              schedule: { kind: 'period', period_seconds: random.one([60, 86_400]) },
              max_runtime_seconds: null,
            }
          : {};
    case 'ping':
      return { ...timeout, ...(random.happens(0.3) ? { count: random.one([1, 10]) } : {}) };
    case 'database':
      return random.happens(0.5) && config.username ? { ...timeout, password: 'p w' } : timeout;
    case 'domain':
    case 'mail':
    case 'group':
    case 'agent':
    case 'service':
      return {};
    default:
      return timeout;
  }
}

/** How somebody looks at the list of monitors. */
export const viewOf = (random: Chance): Fields => ({
  ...(random.happens(0.4) ? { tag: random.one(['web', 'a b', 'gone']) } : {}),
  ...(random.happens(0.3) ? { text: nameOf(random).slice(0, 50) } : {}),
  ...(random.happens(0.3) ? { type: random.one([...TYPES]) } : {}),
});

export const tagsOf = (random: Chance): string[] =>
  ['web', 'a b', 'ö:1', '#'.padStart(2, 'x'), 'z'.repeat(50)].filter(() => random.happens(0.25));

export function policyOf(random: Chance): Fields {
  const policy: Fields = {};
  const some = (field: string, values: readonly unknown[], odds = 0.3) => {
    if (random.happens(odds)) policy[field] = random.one(values);
  };
  some('alarm_consecutive', [1, 1, 2, 100]);
  some('alarm_min_duration_seconds', [0, 0, 1, 86_400]);
  some('failed_interval_seconds', [30, 60, 86_400]);
  some('recovery_consecutive', [1, 2, 100]);
  if (random.happens(0.3)) Object.assign(policy, quorumOf('alarm', random));
  if (random.happens(0.3)) Object.assign(policy, quorumOf('recovery', random));
  return policy;
}

function quorumOf(side: 'alarm' | 'recovery', random: Chance): Fields {
  const mode = random.one(['any', 'majority', 'all', 'count', 'percent']);
  const value = mode === 'count' ? 1 : mode === 'percent' ? random.one([1, 50, 100]) : null;
  return { [`${side}_quorum_mode`]: mode, ...(value === null ? {} : { [`${side}_quorum_value`]: value }) };
}

export function monitorOf(random: Chance, hasHost: boolean): Made {
  const isGroup = random.happens(0.2);
  const watchesHost = hasHost && random.happens(0.3);
  const type = isGroup ? 'group' : random.one(watchesHost ? HOST_TYPES : TYPES);
  const numbers = Array.from({ length: 3 }, () => random.whole(0, 11));
  const isChecked = !isGroup && !watchesHost && type !== 'heartbeat';
  const seconds = type === 'domain' ? [3600, 86_400] : [30, 60, 61, 86_400];
  return {
    type,
    config: isGroup
      ? random.one([{ rule: 'any_failed' }, { rule: 'all_failed' }, { rule: 'count', value: 1 }])
      : configOf(type, random),
    members: numbers.slice(0, random.whole(1, 3)),
    fields: {
      ...(isChecked && (type === 'domain' || random.happens(0.6))
        ? { interval_seconds: random.one(seconds) }
        : {}),
      ...(isChecked && random.happens(0.3) ? { regions: random.one([['fra'], ['fra', 'local']]) } : {}),
      ...(random.happens(0.15) ? { enabled: false } : {}),
      ...(random.happens(0.5) ? { policy: policyOf(random) } : {}),
      ...(random.happens(0.2)
        ? {
            alarm_gate: {
              grace_seconds: random.one([null, 0, 86_400]),
              origins: random.one([[], ['manual'], ['reboot', 'deployment']]),
            },
          }
        : {}),
      ...(random.happens(0.3) ? { severity: random.one(['default', 'degraded', 'critical']) } : {}),
      tags: tagsOf(random),
    },
  };
}

const ADDRESSES: Readonly<Record<string, Fields>> = {
  webhook: { url: 'https://hooks.example.com/a?token=1' },
  slack: { url: 'https://hooks.slack.com/services/T0/B0/X' },
  msteams: {
    url: 'https://prod-06.westeurope.logic.azure.com:443/workflows/7d/triggers/manual/paths/invoke?sig=x',
  },
  discord: { url: 'https://discord.com/api/webhooks/1/abc' },
  mattermost: { url: 'https://chat.example.com/hooks/abc' },
  pagerduty: { credential: '0123456789abcdef0123456789abcdef' },
  opsgenie: { credential: '01234567-89ab-cdef-0123-456789abcdef', region: 'eu' },
};
/** What a file leaves out of a target, and a new one needs. */
export const addressOf = (kind: string): Fields => ADDRESSES[kind] ?? {};

export function targetOf(random: Chance): Fields {
  const kind = random.one(Object.keys(ADDRESSES));
  const events = ['opened', 'resolved', 'acknowledged', 'escalated'].filter(() => random.happens(0.5));
  return {
    ...{ kind, name: nameOf(random), ...ADDRESSES[kind], tags: tagsOf(random) },
    events: events.length > 0 ? events : ['opened'],
    ...(random.happens(0.3) ? { active: false } : {}),
    min_severity: random.one(['degraded', 'default', 'critical']),
  };
}

export const onCallOf = (random: Chance): Fields => ({
  enabled: random.happens(0.7),
  timezone: random.one(['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns']),
  rotation_mode: random.one(['weekly', 'manual']),
  channel_step_minutes: random.one([0, 3, 120]),
  escalation_stage1_minutes: random.one([1, 10]),
  escalation_stage2_minutes: random.one([20, 1440]),
  reminder_minutes: random.one([0, 60, 1440]),
});

export const pageOf = (random: Chance): Fields => ({
  access_mode: random.one(['draft', 'public', 'viewer_login']),
  enabled: random.happens(0.8),
  headline: random.one([null, 'All good', '# x']),
  description: random.one([null, 'One\n\nTwo']),
  header_nav: random.one([[], [{ label: 'Shop', href: 'https://shop.example.com/' }]]),
  collapsed_groups: random.one([[], ['Front', 'B']]),
  auto_link_incidents: random.happens(0.7),
  hide_platform_brand: random.happens(0.3),
  timezone: random.one(['UTC', 'Europe/Berlin']),
});

export const shownOf = (random: Chance): { of: number; fields: Fields }[] =>
  Array.from({ length: random.whole(0, 4) }, () => ({
    of: random.whole(0, 11),
    fields: {
      ...(random.happens(0.4) ? { display_name: nameOf(random).slice(0, 100) } : {}),
      ...(random.happens(0.4) ? { group_label: random.one(['Front', 'B']) } : {}),
      ...(random.happens(0.4) ? { sort_order: random.one([0, 1, 1, 7, -3, 2_147_483_647]) } : {}),
      ...(random.happens(0.3) ? { show_sparkline: false } : {}),
      ...(random.happens(0.3) ? { show_uptime_chart: false } : {}),
      ...(random.happens(0.3) ? { uptime_window_days: random.one([7, 365]) } : {}),
    },
  }));
