// The form values: every field present, numbers or '' for "not set". Each type defines its own part (types/type-form.ts).
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

/** The values of a new form, with the server's defaults. */
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

/** The form values of an existing monitor. */
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

/** The `config` for the API. */
export const configOf = (form: AnyForm, values: MonitorValues): Record<string, unknown> =>
  form.write(values.config);

function gateOf({ alarm_gate: gate }: MonitorValues): { grace_seconds: number | null; origins: string[] } {
  return { grace_seconds: orNull(gate.grace_seconds), origins: gate.origins };
}

/** The request body for a new monitor; `fallbackName` if the name is empty. */
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
 * The fields that differ from the monitor as it was read, so that untouched fields are never written back. A field that was
 * emptied is cleared with null.
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
