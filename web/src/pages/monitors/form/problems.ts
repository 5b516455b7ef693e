// All problems of a form that can be found without the server, by path.
import { SECRET_MASK } from '#src/monitors/types/parts.ts';
import { isRegionless } from '../monitor-types.ts';
import type { AnyForm, Problem, Problems } from '../types/type-form.ts';
import { durationProblem, numberProblem } from './checks.ts';
import { configOf, type MonitorValues } from './values.ts';

/** Validates the whole form, opened with `initial`; paths are those of the form. */
export function problemsOf(
  form: AnyForm,
  values: MonitorValues,
  initial: MonitorValues,
): Record<string, Problem> {
  const { policy, alarm_gate: gate } = values;
  const found: Problems = {
    regions: !isRegionless(values.type) && values.regions.length === 0 ? { key: 'problems.noRegion' } : null,
    'policy.alarm_consecutive': numberProblem(policy.alarm_consecutive, 1, 100),
    'policy.alarm_min_duration_seconds': numberProblem(policy.alarm_min_duration_seconds, 0, 86_400),
    'policy.alarm_quorum_value': quorumProblem(values, 'alarm'),
    'policy.recovery_consecutive': numberProblem(policy.recovery_consecutive, 1, 100),
    'policy.recovery_quorum_value': quorumProblem(values, 'recovery'),
    'policy.failed_interval_seconds': numberProblem(policy.failed_interval_seconds, 1, 86_400),
    'alarm_gate.grace_seconds': durationProblem(gate.grace_seconds, 0, 86_400),
  };
  for (const [path, problem] of Object.entries(form.problems(values.config)))
    found[`config.${path}`] = problem;
  for (const path of masksOfOtherDestination(form, values, initial))
    found[path] = { key: 'problems.secretAgain' };
  found['config.timeout_ms'] ??= timeoutProblem(values, initial);
  found['config.degraded_after_ms'] ??= slowProblem(values);
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, Problem] => entry[1] !== null),
  );
}

function quorumProblem({ policy, regions, type }: MonitorValues, side: 'alarm' | 'recovery'): Problem | null {
  const mode = policy[`${side}_quorum_mode`];
  const value = policy[`${side}_quorum_value`];
  if (isRegionless(type)) return null;
  if (mode === 'count') return numberProblem(value, 1, Math.max(1, regions.length), { needed: true });
  return mode === 'percent' ? numberProblem(value, 1, 100, { needed: true }) : null;
}

/** A check must end before the next begins. An untouched timeout may be the server's default, which adapts. */
function timeoutProblem(
  { config, interval_seconds: interval, type }: MonitorValues,
  initial: MonitorValues,
): Problem | null {
  const timeout = config.timeout_ms;
  if (timeout === initial.config.timeout_ms) return null;
  if (isRegionless(type) || typeof timeout !== 'number' || interval === '') return null;
  return timeout < interval * 1_000 ? null : { key: 'problems.timeoutAboveInterval', values: { interval } };
}

function slowProblem({ config }: MonitorValues): Problem | null {
  const { timeout_ms: timeout, degraded_after_ms: slow } = config;
  if (typeof timeout !== 'number' || typeof slow !== 'number' || slow < timeout) return null;
  return { key: 'problems.slowAboveTimeout', values: { timeout } };
}

/** A stored secret is not sent to a new address; its mask must be replaced with the secret itself. */
function masksOfOtherDestination(form: AnyForm, values: MonitorValues, initial: MonitorValues): string[] {
  const { destination } = form;
  if (!destination || values.type !== initial.type) return [];
  const stays = destination(configOf(form, values)) === destination(configOf(form, initial));
  return stays ? [] : masksIn(values.config, 'config');
}

function masksIn(value: unknown, path: string): string[] {
  if (value === SECRET_MASK) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => masksIn(inner, `${path}.${key}`));
}
