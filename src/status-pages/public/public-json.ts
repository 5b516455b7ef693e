// A status page as JSON, field by field: a snapshot has further fields that are not public.
import { unix } from '#src/platform/unix.ts';
import type { PublicStatusPage } from './contract.ts';
import type {
  PublicIncident,
  PublicMonitor,
  PublicPostmortem,
  PublicWindow,
  Shown,
  Snapshot,
} from './snapshot.ts';

export function publicJsonOf(snapshot: Snapshot, shown: Shown): PublicStatusPage {
  const { page } = snapshot;
  return {
    page: {
      name: page.name,
      slug: page.slug,
      description: page.description,
      headline: page.headline,
      header_nav: page.headerNav.map(({ label, href }) => ({ label, href })),
      timezone: page.timezone,
      url: shown.url,
      has_logo: page.hasLogo,
      has_logo_dark: page.hasLogoDark,
    },
    as_of_unix: unix(snapshot.at),
    state: snapshot.state,
    groups: snapshot.groups.map(({ name, collapsed, state, monitors }) => ({
      name,
      collapsed,
      state,
      monitors: monitors.map(monitorJson),
    })),
    incidents: snapshot.incidents.map(incidentJson),
    maintenance: snapshot.maintenance.map(windowJson),
  };
}

const monitorJson = ({ id, label, state, uptimePct, windowDays, days }: PublicMonitor) => ({
  id,
  label,
  state,
  uptime_pct: uptimePct,
  uptime_window_days: windowDays,
  days: (days ?? []).map((day) => ({
    date: day.date,
    uptime_pct: day.uptimePct,
    downtime_seconds: day.downtimeSeconds,
    maintenance_seconds: day.maintenanceSeconds,
  })),
});

const incidentJson = (incident: PublicIncident): PublicStatusPage['incidents'][number] => ({
  id: incident.id,
  monitors: incident.monitors.map(({ label }) => label),
  status: incident.resolvedAt === null ? 'open' : 'closed',
  severity: incident.severity,
  acknowledged: incident.acknowledgedAt !== null,
  started_at_unix: unix(incident.startedAt),
  resolved_at_unix: incident.resolvedAt && unix(incident.resolvedAt),
  notes: incident.notes.map(({ id, kind, body, at }) => ({ id, kind, body, created_at_unix: unix(at) })),
  postmortem: incident.postmortem && postmortemJson(incident.postmortem),
});

const postmortemJson = (postmortem: PublicPostmortem) => ({
  title: postmortem.title,
  summary: postmortem.summary,
  impact: postmortem.impact,
  root_cause: postmortem.rootCause,
  contributing_factors: postmortem.contributingFactors,
  what_went_well: postmortem.whatWentWell,
  what_went_wrong: postmortem.whatWentWrong,
  lessons: postmortem.lessons,
  published_at_unix: unix(postmortem.publishedAt),
});

const windowJson = (window: PublicWindow) => ({
  id: window.id,
  title: window.title,
  body: window.body,
  scheduled_start: unix(window.startsAt),
  scheduled_end: unix(window.endsAt),
  // Clients that do not look at `cancelled` must not expect it.
  state: window.cancelledAt ? 'past' : window.state,
  cancelled: window.cancelledAt !== null,
  monitors: window.monitors.map(({ label }) => label),
});
