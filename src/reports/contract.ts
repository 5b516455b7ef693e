// Browser-safe. Reports: uptime and incidents of a month, a quarter or any range (docs/rules/figures.md#reports).
import { type Static, Type } from 'typebox';
import { PAGE_LANGUAGES } from '../domain/names.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

/** The most monitors of a report, and the most incidents. */
export const MAX_MONITORS = 1000;
export const MAX_INCIDENTS = 1000;

/** The subject of a report. */
export const SUBJECTS = ['organization', 'project', 'tag', 'status_page'] as const;
export type SubjectKind = (typeof SUBJECTS)[number];

const Seconds = (description: string) => Type.Integer({ description });

const FIGURES = {
  uptime_time_pct: Nullable(
    Type.Number({ description: 'uptime by time, as in a series; null: nothing is known' }),
  ),
  counted_seconds: Seconds('time that counts: known, and outside maintenance'),
  downtime_seconds: Seconds('confirmed outages in the time that counts'),
  maintenance_seconds: Seconds('planned work, left out of the uptime'),
  unknown_seconds: Seconds('neither measured nor planned, left out of the uptime'),
  discarded_seconds: Seconds('what incidents that were discarded as false alarms would have taken'),
  incidents: Type.Integer({
    description: 'incidents that lie in the range or reach into it, without discarded ones',
  }),
  longest_downtime_seconds: Seconds('what the longest outage has of the downtime'),
};

export const ReportedMonitor = Type.Object({
  monitor_id: Type.String(),
  name: Type.String({ description: 'its name; for a status page, its label there' }),
  project_id: Type.String(),
  project_name: Type.String(),
  type: Type.String(),
  enabled: Type.Boolean(),
  ...FIGURES,
  coverage_pct: Nullable(
    Type.Number({
      description: 'share of the expected checks that reported, as in a series; null: it cannot be known',
    }),
  ),
});
export type ReportedMonitor = Static<typeof ReportedMonitor>;

export const ReportedIncident = Type.Object({
  id: Type.String(),
  monitor_id: Type.String({ description: '"": of no monitor' }),
  monitor_name: Nullable(Type.String()),
  origin: Type.Enum(['automatic', 'manual']),
  cause: Type.String(),
  severity: Type.String(),
  status: Type.String(),
  discarded: Type.Boolean(),
  started_at_unix: UnixSeconds(),
  resolved_at_unix: Nullable(UnixSeconds()),
  duration_seconds: Nullable(Type.Integer({ description: 'from its start to its end; null: it is open' })),
  acknowledged_after_seconds: Nullable(Type.Integer()),
  postmortem: Nullable(Type.Object({ title: Type.String(), status: Type.String() })),
});
export type ReportedIncident = Static<typeof ReportedIncident>;

export const Report = Type.Object({
  subject: Type.Object({
    kind: Type.Enum([...SUBJECTS]),
    id: Nullable(Type.String({ description: 'of the project or status page; the tag itself' })),
    name: Type.String(),
  }),
  organization_name: Type.String(),
  period: Nullable(Type.String({ description: 'as asked for; null: a range was' })),
  timezone: Type.String(),
  from_unix: UnixSeconds(),
  to_unix: UnixSeconds({ description: 'exclusive; now, if the range is not over' }),
  is_over: Type.Boolean({ description: 'whether the whole range has passed' }),
  kept_since_unix: Nullable(
    UnixSeconds({
      description: 'history is kept from then on: what the range has before it is unknown; null: nothing',
    }),
  ),
  monitors: Type.Array(ReportedMonitor),
  monitor_count: Type.Integer({ description: `all there are; a report has ${MAX_MONITORS} at most` }),
  totals: Type.Object(FIGURES, { description: 'of the monitors of the report together' }),
  incidents: Nullable(
    Type.Array(ReportedIncident, {
      description: `oldest first, ${MAX_INCIDENTS} at most; null for keys without incidents:read`,
    }),
  ),
  incident_count: Nullable(Type.Integer({ description: 'all of them, discarded ones too' })),
});
export type Report = Static<typeof Report>;

const Id = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }));

const QUERY = {
  period: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'a year (2026), a quarter (2026-Q4), a month (2026-10), a day (2026-10-03) or days, both included (2026-10-03/2026-10-17); the current month',
    }),
  ),
  from_unix: Type.Optional(UnixSeconds({ description: 'with to_unix, instead of period' })),
  to_unix: Type.Optional(UnixSeconds({ description: 'exclusive' })),
  timezone: Type.Optional(
    Type.String({ maxLength: 100, description: 'IANA time zone of the period and of written times; UTC' }),
  ),
  project_id: Id('only monitors of this project'),
  tag: Id('only monitors that have this tag'),
  status_page_id: Id('only monitors of this status page, under the labels that they have there'),
};

const SHARED = {
  method: 'GET',
  tag: 'Reports',
  right: 'member',
  resource: 'organization',
  scope: 'monitors:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  status: 200,
  refusals: [400],
} as const;

export const getReport = operation({
  ...SHARED,
  id: 'getReport',
  path: '/organizations/{org_id}/report',
  summary:
    'Uptime and incidents of a month, a quarter or any range; at most one of project, tag and status page',
  query: Type.Object(QUERY, closed),
  reply: Report,
});
export type ReportQuery = Static<NonNullable<typeof getReport.query>>;

export const REPORT_TABLES = ['monitors', 'incidents'] as const;
export type ReportTable = (typeof REPORT_TABLES)[number];

export const getReportTable = operation({
  ...SHARED,
  id: 'getReportTable',
  path: '/organizations/{org_id}/report.csv',
  summary: 'One table of a report as CSV: its monitors (default) or its incidents',
  query: Type.Object({ ...QUERY, table: Type.Optional(Type.Enum([...REPORT_TABLES])) }, closed),
  produces: 'text/csv',
});

export const getReportDocument = operation({
  ...SHARED,
  id: 'getReportDocument',
  path: '/organizations/{org_id}/report.pdf',
  summary: 'A report as PDF, to be handed on; that of a status page names no causes of incidents',
  query: Type.Object({ ...QUERY, language: Type.Optional(Type.Enum([...PAGE_LANGUAGES])) }, closed),
  produces: 'application/pdf',
  refusals: [400, 503],
});
