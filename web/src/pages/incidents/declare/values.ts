// The form values of a declared incident, and the request body. Pure.
import type { IncidentSeverity, IncidentSeverityLevel } from '#src/domain/names.ts';
import type { createIncident } from '#src/incidents/actions-contract.ts';
import type { BodyOf } from '#src/platform/contract.ts';
import { fromLocalInput } from '../actions/local-time.ts';

export type Values = {
  cause: string;
  summary: string;
  monitorId: string | null;
  severity: IncidentSeverity;
  level: IncidentSeverityLevel | null;
  began: 'now' | 'earlier';
  /** As a `datetime-local` field writes it. */
  beganAt: string;
};

/** Whether the form's start is in the past; `now` in Unix seconds. */
export function hasBegun({ began, beganAt }: Values, now: number): boolean {
  if (began === 'now') return true;
  const at = fromLocalInput(beganAt);
  return at !== null && at > 0 && at <= now;
}

/** The request body; empty fields are left out. */
export function bodyOf(values: Values): BodyOf<typeof createIncident> {
  const summary = values.summary.trim();
  const beganAt = values.began === 'now' ? null : fromLocalInput(values.beganAt);
  return {
    cause: values.cause.trim(),
    severity: values.severity,
    ...(summary === '' ? {} : { summary }),
    ...(values.monitorId === null ? {} : { monitor_id: values.monitorId }),
    ...(values.level === null ? {} : { severity_level: values.level }),
    ...(beganAt === null ? {} : { started_at_unix: beganAt }),
  };
}
