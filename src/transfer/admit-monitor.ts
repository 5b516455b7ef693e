// What an imported monitor must be, whoever wrote the file: its config goes to the probes, its policy into every
// evaluation. What a plan limits is not asked: what is over a limit keeps working (decisions, section 2).
import { REGIONLESS_MONITOR_TYPES } from '../domain/names.ts';
import type { MonitorPolicy } from '../domain/policy.ts';
import { refuseEffectivePolicy, refusePolicyValues } from '../domain/policy-admission.ts';
import { type KindContext, kindContext } from '../monitors/kind.ts';
import { KINDS } from '../monitors/kinds.ts';
import { completeConfig, levelsOf } from '../monitors/row.ts';
import { restoreMasked, sealConfig } from '../monitors/sealing.ts';
import { validate } from '../platform/http/validate.ts';
import { refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import type { DataOf } from './format.ts';

/** Where a target may be is decided by the regions of this installation when they connect, not by the file. */
const ANYWHERE: KindContext = kindContext({ allowSingleLabel: true, allowPrivate: true });

function refuseRegions({ type, regions }: DataOf<'monitor'>): void {
  const isRegionless = (REGIONLESS_MONITOR_TYPES as readonly string[]).includes(type);
  if (regions.length === 0 && !isRegionless)
    refuse('invalid_request', 'regions must name at least one region.');
  if (new Set(regions).size !== regions.length)
    refuse('invalid_request', 'regions must not name a region twice.');
}

/** The monitor as it is stored: config sealed under the key of this installation. Throws a Refusal. */
export function admittedMonitor(monitor: DataOf<'monitor'>, vault: Vault): DataOf<'monitor'> {
  const kind = KINDS.get(monitor.type);
  if (!kind) return refuse('unknown_type', `type "${monitor.type}" is not known to this version.`);
  const config = restoreMasked(kind, monitor.config, null, vault);
  const complete = completeConfig(kind, config, monitor.interval_seconds);
  kind.checkTarget(complete, ANYWHERE);
  validate(kind.schema, complete, 'config');
  kind.check(complete, ANYWHERE);
  refuseRegions(monitor);
  // Alert profiles are not part of an export: what came from one is inherited anew.
  const policy = { ...monitor.policy, alert_profile_id: null } as MonitorPolicy;
  const problem =
    refusePolicyValues(policy, 'policy.') ??
    refuseEffectivePolicy(levelsOf(policy), monitor.regions.length, 'policy.');
  if (problem) refuse('invalid_request', problem.message);
  return { ...monitor, policy, config: sealConfig(kind, config, monitor.id, vault) };
}
