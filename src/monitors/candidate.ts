// A monitor as a write would leave it: the fields of the request merged over the stored ones
// (docs/rules/errors-and-conventions.md#updates). Omitted fields keep their value; an explicit null resets a field to its
// default or its inherited value.
import { type Inherited, readInherited } from '../alarm-policy/inherited.ts';
import { INHERITED_POLICY, type MonitorPolicy } from '../domain/policy.ts';
import type { Vault } from '../platform/secrets.ts';
import { checkedTags } from '../platform/tags.ts';
import type { Tx } from '../platform/work.ts';
import type { MonitorUpdate, PolicyWrite } from './contract.ts';
import { DEFAULT_INTERVAL_SECONDS, intervalUnlessGiven, regionsUnlessGiven } from './entitlements.ts';
import type { AlarmGate, MonitorRow } from './row.ts';
import { keepSentAgain, restoreMasked } from './sealing.ts';
import type { TypeRules } from './types/rules.ts';
import { TYPES } from './types.ts';

type Config = Record<string, unknown>;

/** The parts of a monitor that a write can change and that must fit together. Stored secrets are sealed. */
export type Parts = {
  type: string;
  config: Config;
  intervalSeconds: number;
  regions: string[];
  policy: MonitorPolicy;
  alarmGate: AlarmGate | null;
  dependsOn: string[];
  severity: string;
  tags: string[];
};

/** With the inherited policy. */
export type Candidate = Parts & { id: string; orgId: string; inherited: Inherited };

/** The parts of a monitor before its first write. */
export const newParts = (type: string): Parts => ({
  type,
  config: {},
  intervalSeconds: DEFAULT_INTERVAL_SECONDS,
  regions: [],
  policy: INHERITED_POLICY,
  alarmGate: null,
  dependsOn: [],
  severity: 'critical',
  tags: [],
});

/** The parts of a stored monitor. */
export const storedOf = (row: MonitorRow): Candidate & Parts => ({
  id: row.id,
  orgId: row.org_id,
  type: row.type,
  config: row.config,
  intervalSeconds: row.interval_seconds,
  regions: row.regions,
  policy: row.policy,
  inherited: { profile: row.profile, standard: row.standard },
  alarmGate: row.alarm_gate,
  dependsOn: row.depends_on,
  severity: row.severity,
  tags: row.tags,
});

/** Merges `body` over `stored`. A new type starts with a config of its own. Refuses a mask without a stored secret. */
export async function candidateOf(
  tx: Tx,
  { id, orgId }: { id: string; orgId: string },
  body: MonitorUpdate,
  stored: Parts,
  vault: Vault,
): Promise<Candidate> {
  const type = body.type ?? stored.type;
  const rules = TYPES.get(type);
  const kept = type === stored.type ? stored.config : {};
  const merged = mergeConfig(rules, kept, (body.config ?? {}) as Config);
  const policy = mergePolicy(stored.policy, body.policy ?? null);
  return {
    id,
    orgId,
    type,
    config: rules ? keepSentAgain(rules, restoreMasked(rules, merged, kept, vault), kept, id, vault) : merged,
    intervalSeconds: body.interval_seconds ?? intervalUnlessGiven(rules, stored.intervalSeconds),
    regions: body.regions ?? regionsUnlessGiven(type, stored.regions),
    policy,
    inherited: await readInherited(tx, orgId, policy.alert_profile_id ?? null),
    alarmGate: mergeGate(stored.alarmGate, body.alarm_gate ?? null),
    dependsOn: body.depends_on ?? stored.dependsOn,
    severity: body.severity ?? stored.severity,
    tags: body.tags ? checkedTags(body.tags) : stored.tags,
  };
}

/** Only fields of the type can be reset: a null in any other stays, and validation refuses it by name. */
export function mergeConfig(rules: TypeRules | undefined, stored: Config, given: Config): Config {
  const fields = rules?.schema.properties ?? {};
  const merged = { ...stored, ...given };
  for (const [key, value] of Object.entries(merged))
    if (value === null && Object.hasOwn(fields, key)) delete merged[key];
  return merged;
}

/** The given fields merged over the stored ones; null inherits. */
export function mergePolicy(stored: MonitorPolicy, given: PolicyWrite | null): MonitorPolicy {
  if (!given) return stored;
  const { effective_alarm: _readOnly, ...fields } = given;
  return { ...stored, ...fields } as MonitorPolicy;
}

function mergeGate(stored: AlarmGate | null, given: MonitorUpdate['alarm_gate']): AlarmGate | null {
  if (!given) return stored;
  const gate = {
    grace_seconds: given.grace_seconds === undefined ? (stored?.grace_seconds ?? null) : given.grace_seconds,
    origins: given.origins === undefined ? (stored?.origins ?? []) : (given.origins ?? []),
  };
  return gate.grace_seconds === null && gate.origins.length === 0 ? null : gate;
}
