// Builds a monitor's confirmation rules from its row, for arriving results and for a replay alike.
import type { MonitorRules } from '../domain/confirmation.ts';
import type { EffectivePolicy } from '../domain/policy.ts';
import { resultsEverySeconds, timeoutMsOf } from '../domain/reporting.ts';
import { type Levels, policyInForce } from '../monitors/policy-levels.ts';

/** The status of a group is derived and always up to date: a group never falls silent. */
const NEVER_SILENT_MS = 1e15;

/** The columns of a monitor that the rules are built from. `config` is complete; `regions` are those that confirmation counts. */
type Part = Levels & {
  type: string;
  config: Readonly<Record<string, unknown>>;
  interval_seconds: number;
  regions: readonly string[];
};

export function confirmationRules(monitor: Part): MonitorRules {
  const { type, config, interval_seconds, regions } = monitor;
  return {
    policy: policyOf(monitor),
    intervalSeconds: resultsEverySeconds(type, interval_seconds),
    timeoutMs: type === 'group' ? NEVER_SILENT_MS : timeoutMsOf(config),
    regions,
  };
}

/** The values that a monitor's results are confirmed by. */
export function policyOf(monitor: Pick<Part, 'type' | 'config' | keyof Levels>): EffectivePolicy {
  const policy = policyInForce(monitor);
  if (monitor.type === 'group') return ofGroup(policy);
  return monitor.type === 'agent' && monitor.config.metric === 'online' ? ofSilence(policy) : policy;
}

/** The members of a group are confirmed already: their group is not confirmed a second time. */
const ofGroup = (policy: EffectivePolicy): EffectivePolicy => ({
  ...policy,
  alarm_consecutive: 1,
  recovery_consecutive: 1,
});

/** One silent result is enough: it already stands for three missed heartbeats (docs/rules/agents.md#silence). */
const ofSilence = (policy: EffectivePolicy): EffectivePolicy => ({ ...policy, alarm_consecutive: 1 });
