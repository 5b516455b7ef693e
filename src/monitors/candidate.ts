// A monitor as a write would leave it: the fields of the request laid over the stored ones
// (docs/rules/errors-and-conventions.md#updates). Omitted fields stay; an explicit null clears a field to its default, or to
// what it inherits.
import { type Inherited, readInherited } from '../alarm-policy/inherited.ts';
import { INHERITED_POLICY, type MonitorPolicy } from '../domain/policy.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Tx } from '../platform/work.ts';
import type { MonitorUpdate, PolicyWrite } from './contract.ts';
import { DEFAULT_INTERVAL_SECONDS, intervalUnlessGiven, regionsUnlessGiven } from './entitlements.ts';
import type { AlarmGate } from './row.ts';
import { restoreMasked } from './sealing.ts';
import { checkedTags } from './tags.ts';
import type { TypeRules } from './types/rules.ts';
import { TYPES } from './types.ts';

type Config = Record<string, unknown>;

/** The parts of a monitor that a write can change and that have to fit together. Secrets that are stored are sealed. */
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

/** With the policy that the monitor inherits. */
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

/** Lays `body` over `stored`. Another type starts with a config of its own. Refuses a mask that no secret stands behind. */
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
    config: rules ? restoreMasked(rules, merged, kept, vault) : merged,
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

/** Only fields that the type has can be cleared: a null of any other stays, and validation refuses it by its name. */
export function mergeConfig(rules: TypeRules | undefined, stored: Config, given: Config): Config {
  const fields = rules?.schema.properties ?? {};
  const merged = { ...stored, ...given };
  for (const [key, value] of Object.entries(merged))
    if (value === null && Object.hasOwn(fields, key)) delete merged[key];
  return merged;
}

/** The fields that are given, laid over the stored ones; null inherits. */
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
