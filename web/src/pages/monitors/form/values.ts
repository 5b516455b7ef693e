// The values of the form: every field present, numbers or '' for "not set". The part that depends
// on the type is the type's own (types/type-form.ts).
import type { IncidentSeverity, MonitorType } from '#src/domain/names.ts';
import type { Monitor, MonitorCreate } from '#src/monitors/contract.ts';
import { isRegionless } from '../monitor-types.ts';
import type { AnyForm, ConfigValues } from '../types/type-form.ts';
import { type Amount, orEmpty, orNull } from './amounts.ts';
import { NO_POLICY, type PolicyValues, policyOf, policyValuesOf } from './policy-values.ts';

export type MonitorValues = {
  type: MonitorType;
  name: string;
  interval_seconds: Amount;
  regions: string[];
  config: ConfigValues;
  policy: PolicyValues;
  alarm_gate: { grace_seconds: Amount; origins: string[] };
  depends_on: string[];
  severity: string;
  tags: string[];
};

/** A form of a type that has not been touched; the server's defaults, written out. */
export function newMonitor({ type, interval, initial }: AnyForm): MonitorValues {
  return {
    type,
    name: '',
    interval_seconds: interval?.start ?? 60,
    regions: [],
    config: structuredClone(initial),
    policy: { ...NO_POLICY },
    alarm_gate: { grace_seconds: '', origins: [] },
    depends_on: [],
    severity: 'critical',
    tags: [],
  };
}

/** The form's values of an existing monitor. */
export function valuesOf(form: AnyForm, monitor: Monitor): MonitorValues {
  return {
    type: form.type,
    name: monitor.name,
    interval_seconds: monitor.interval_seconds,
    regions: monitor.regions,
    config: form.read(monitor.config),
    policy: policyValuesOf(monitor.policy),
    alarm_gate: {
      grace_seconds: orEmpty(monitor.alarm_gate?.grace_seconds),
      origins: monitor.alarm_gate?.origins ?? [],
    },
    depends_on: monitor.depends_on ?? [],
    severity: monitor.severity,
    tags: monitor.tags,
  };
}

/** The `config` that the interface takes. */
export const configOf = (form: AnyForm, values: MonitorValues): Record<string, unknown> =>
  form.write(values.config);

function gateOf({ alarm_gate: gate }: MonitorValues): { grace_seconds: number | null; origins: string[] } {
  return { grace_seconds: orNull(gate.grace_seconds), origins: gate.origins };
}

/** The body that creates the monitor; `fallbackName` where no name was typed. */
export function creationOf(form: AnyForm, values: MonitorValues, fallbackName: string): MonitorCreate {
  const gate = gateOf(values);
  return {
    name: values.name.trim() === '' ? fallbackName : values.name.trim(),
    type: values.type,
    config: configOf(form, values),
    ...(isRegionless(values.type)
      ? {}
      : { interval_seconds: orNull(values.interval_seconds), regions: values.regions }),
    policy: policyOf(values.policy),
    ...(gate.origins.length === 0 && gate.grace_seconds === null ? {} : { alarm_gate: gate }),
    ...(values.depends_on.length === 0 ? {} : { depends_on: values.depends_on }),
    severity: values.severity as IncidentSeverity,
    ...(values.tags.length === 0 ? {} : { tags: values.tags }),
  };
}

/**
 * Only what differs from the monitor as it was read, so that an untouched field is never written back. What the form
 * leaves to the server now and did not before is cleared with null.
 */
export function changesOf(
  form: AnyForm,
  values: MonitorValues,
  before: MonitorValues,
): Record<string, unknown> {
  const written = (of: MonitorValues) => ({
    ...of,
    config: configOf(form, of),
    policy: policyOf(of.policy),
    alarm_gate: gateOf(of),
  });
  const now = written(values);
  const was = written(before);
  const top = changed(now, was);
  for (const part of ['config', 'policy', 'alarm_gate'] as const)
    if (top[part] !== undefined) top[part] = changed(now[part], was[part]);
  return top;
}

function changed(after: object, prior: object): Record<string, unknown> {
  const was = new Map(Object.entries(prior));
  const now = new Map(Object.entries(after));
  const names = [...new Set([...now.keys(), ...was.keys()])];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(now.get(name)) !== JSON.stringify(was.get(name)))
      .map((name) => [name, now.get(name) ?? null]),
  );
}
