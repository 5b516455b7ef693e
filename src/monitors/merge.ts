// How an update's objects are laid over what is stored (docs/rules/errors-and-conventions.md#updates): fields merge one by
// one, an explicit null clears a field back to inheritance or its default.
import type { TObject } from 'typebox';
import type { MonitorPolicy } from '../domain/policy.ts';
import type { MonitorUpdate, PolicyWrite } from './contract.ts';
import type { AlarmGate } from './row.ts';
import type { TypeRules } from './types/rules.ts';

/** `rules` says which fields there are to clear: a null of another one stays, and is refused by its name. */
export function mergeConfig(
  rules: TypeRules | undefined,
  stored: Record<string, unknown>,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const fields = (rules?.schema as TObject | undefined)?.properties ?? {};
  const merged = { ...stored, ...given };
  for (const [key, value] of Object.entries(merged))
    if (value === null && Object.hasOwn(fields, key)) delete merged[key];
  return merged;
}

export function mergePolicy(stored: MonitorPolicy, given: PolicyWrite | null): MonitorPolicy {
  if (!given) return stored;
  const { effective_alarm: _readOnly, ...fields } = given;
  return { ...stored, ...fields } as MonitorPolicy;
}

export function mergeGate(stored: AlarmGate | null, given: MonitorUpdate['alarm_gate']): AlarmGate | null {
  if (!given) return stored;
  const gate = {
    grace_seconds: given.grace_seconds === undefined ? (stored?.grace_seconds ?? null) : given.grace_seconds,
    origins: given.origins === undefined ? (stored?.origins ?? []) : (given.origins ?? []),
  };
  return gate.grace_seconds === null && gate.origins.length === 0 ? null : gate;
}
