// A status page in the format of Statuspage's `/api/v2/summary.json`, which widgets and chat apps read. As there, it has only
// open incidents and maintenance that is not over.
import { createHash } from 'node:crypto';
import type { PageState } from '#src/domain/names.ts';
import { incidentTitle } from './incident-title.ts';
import { latest } from './latest.ts';
import type {
  AffectedMonitor,
  PublicGroup,
  PublicIncident,
  PublicMonitor,
  PublicWindow,
  Shown,
  Snapshot,
} from './snapshot.ts';
import { WORDS } from './words.ts';

/** Statuspage's names; it has only '' for an unknown state. */
const COMPONENT = {
  operational: 'operational',
  degraded: 'degraded_performance',
  partial_outage: 'partial_outage',
  major_outage: 'major_outage',
  maintenance: 'under_maintenance',
  no_data: '',
} as const satisfies Record<PageState, string>;

const INDICATOR = {
  operational: 'none',
  degraded: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
  maintenance: 'maintenance',
  no_data: 'none',
} as const satisfies Record<PageState, string>;

const IMPACT = { critical: 'major', default: 'minor', degraded: 'minor' } as const;

export function summaryOf(snapshot: Snapshot, shown: Shown): object {
  const { page } = snapshot;
  const made = partsOf(snapshot, shown);
  return {
    page: {
      id: page.id,
      name: page.name,
      url: shown.url,
      time_zone: page.timezone,
      updated_at: snapshot.at.toISOString(),
    },
    components: snapshot.groups.flatMap((group, at) => made.groupAndItsMonitors(group, at)),
    incidents: snapshot.incidents.filter(({ resolvedAt }) => resolvedAt === null).map(made.incident),
    scheduled_maintenances: snapshot.maintenance
      .filter(({ state, cancelledAt }) => state !== 'past' && !cancelledAt)
      .map(made.maintenance),
    status: {
      indicator: INDICATOR[snapshot.state],
      description: WORDS[shown.language].headline[snapshot.state],
    },
  };
}

function partsOf(snapshot: Snapshot, shown: Shown) {
  const pageId = snapshot.page.id;
  const words = WORDS[shown.language];
  const updatedAt = snapshot.at.toISOString();
  const shortlink = (id: string) => `${shown.url}/incidents/${id}`;

  /** Groups have no id of their own: their name is the only stable key. */
  const groupId = (name: string) =>
    `grp_${createHash('sha256').update(`${pageId}\n${name}`).digest('hex').slice(0, 20)}`;

  const component = (id: string, name: string, state: PageState, position: number) => ({
    id,
    name,
    status: COMPONENT[state],
    created_at: null,
    updated_at: updatedAt,
    position,
    description: null,
    showcase: false,
    start_date: null,
    page_id: pageId,
    only_show_if_degraded: false,
  });
  const monitor = ({ id, label, state }: PublicMonitor, groupName: string, at: number) => ({
    ...component(id, label, state, at + 1),
    group_id: groupId(groupName),
    group: false,
  });
  const byId = new Map(
    snapshot.groups.flatMap(({ name, monitors }) =>
      monitors.map((each, at) => [each.id, monitor(each, name, at)] as const),
    ),
  );
  const componentsOf = (affected: readonly AffectedMonitor[]) =>
    affected.flatMap(({ id }) => byId.get(id) ?? []);

  return {
    groupAndItsMonitors: ({ name, state, monitors }: PublicGroup, at: number) => [
      {
        ...component(groupId(name), name, state, at + 1),
        group_id: null,
        group: true,
        components: monitors.map(({ id }) => id),
      },
      ...monitors.map((each, place) => monitor(each, name, place)),
    ],

    incident: (incident: PublicIncident) => {
      const status = incident.acknowledgedAt ? 'identified' : 'investigating';
      return {
        id: incident.id,
        name: incidentTitle(words, incident),
        status,
        created_at: incident.startedAt.toISOString(),
        updated_at: latest([
          incident.startedAt,
          incident.acknowledgedAt,
          incident.notes[0]?.at,
        ]).toISOString(),
        monitoring_at: null,
        resolved_at: null,
        impact: IMPACT[incident.severity],
        shortlink: shortlink(incident.id),
        started_at: incident.startedAt.toISOString(),
        page_id: pageId,
        incident_updates: incident.notes.map(({ id, body, at }) => ({
          id,
          status,
          body,
          incident_id: incident.id,
          created_at: at.toISOString(),
          updated_at: at.toISOString(),
          display_at: at.toISOString(),
        })),
        components: componentsOf(incident.monitors),
      };
    },

    maintenance: (window: PublicWindow) => ({
      id: window.id,
      name: window.title,
      status: window.state === 'active' ? 'in_progress' : 'scheduled',
      created_at: null,
      updated_at: window.changedAt.toISOString(),
      monitoring_at: null,
      resolved_at: null,
      impact: 'maintenance',
      shortlink: shown.url,
      started_at: window.startsAt.toISOString(),
      page_id: pageId,
      // Statuspage puts the text of maintenance into its first update.
      incident_updates:
        window.body === ''
          ? []
          : [
              {
                id: window.id,
                status: window.state === 'active' ? 'in_progress' : 'scheduled',
                body: window.body,
                incident_id: window.id,
                created_at: null,
                updated_at: window.changedAt.toISOString(),
                display_at: null,
              },
            ],
      components: componentsOf(window.monitors),
      scheduled_for: window.startsAt.toISOString(),
      scheduled_until: window.endsAt.toISOString(),
    }),
  };
}
