// Live events: written in the transaction of the change, numbered per organization without gaps, and announced to every
// server process at commit (PostgreSQL delivers NOTIFY only then).
import { sql } from 'kysely';
import {
  afterCommit,
  type Collector,
  defer,
  follow,
  isFollowed,
  sendUnawaited,
  type Work,
} from '../platform/work.ts';
import type { AlarmEvent, DrillEvent, IncidentEvent, MaintenanceEvent, MonitorEvent } from './contract.ts';

export const LIVE_CHANNEL = 'tocsin_live';

/** The stored alarm event; `user_ids` never leaves the server. */
export type AlarmFor = AlarmEvent & { user_ids: readonly string[] };

type Live = { orgId: string } & (
  | { kind: 'monitor'; payload: MonitorEvent }
  | { kind: 'incident'; payload: IncidentEvent }
  | { kind: 'alarm'; payload: AlarmFor }
  | { kind: 'maintenance'; payload: MaintenanceEvent }
  | { kind: 'drill'; payload: DrillEvent }
);

type Listen = (orgId: string) => void;
const listeners = new Set<Listen>();

/**
 * Calls `listen` with each organization that this process has published events of, at the commit: sooner than the
 * notification comes back. Answers how to end that.
 */
export function onPublished(listen: Listen): () => void {
  listeners.add(listen);
  return () => void listeners.delete(listen);
}

const collector: Collector<Live> = {
  name: 'live events',
  rank: 3,
  async flush(work, items) {
    const { now } = work;
    const byOrg = Map.groupBy(items, (item) => item.orgId);
    // Whoever waits for the commit need not wait until all listeners are woken.
    const wakesLater = isFollowed(work);
    for (const orgId of [...byOrg.keys()].sort()) {
      const own = byOrg.get(orgId) ?? [];
      // The row lock makes the numbers commit in order: a client that resumes after n has missed nothing below it.
      const written = sql`
        WITH counter AS (
          UPDATE organizations SET live_seq = live_seq + ${own.length} WHERE id = ${orgId} RETURNING live_seq
        ), written AS (
          INSERT INTO live_events (org_id, seq, at, kind, payload)
          SELECT ${orgId}, counter.live_seq - ${own.length} + item.no, ${now}, item.value ->> 'kind', item.value -> 'payload'
          FROM counter, jsonb_array_elements(${JSON.stringify(own)}::jsonb) WITH ORDINALITY AS item (value, no)
        )
        SELECT ${wakesLater ? sql`FROM` : sql`pg_notify(${LIVE_CHANNEL}, ${orgId}) FROM`} counter`;
      sendUnawaited(work, written);
      afterCommit(work, () => {
        for (const listen of listeners) listen(orgId);
      });
    }
    // If it never runs, the next heartbeat of the streams finds the events (stream.ts).
    if (wakesLater) follow(work, async (next) => wakeAll(next, [...byOrg.keys()]));
  },
};

const wakeAll = (work: Work, orgIds: readonly string[]): void =>
  sendUnawaited(work, sql`SELECT pg_notify(${LIVE_CHANNEL}, id) FROM unnest(${orgIds}::text[]) AS id`);

/** Tells connected dashboards of an organization, when this unit of work commits. */
export function publishMonitor(work: Work, orgId: string, payload: MonitorEvent): void {
  defer(work, collector, { orgId, kind: 'monitor', payload });
}

/** Tells connected dashboards of an organization, when this unit of work commits. */
export function publishIncident(work: Work, orgId: string, payload: IncidentEvent): void {
  defer(work, collector, { orgId, kind: 'incident', payload });
}

/** Starts or ends the loud alarm for these people, and nobody else, when this unit of work commits. */
export function publishAlarm(
  work: Work,
  orgId: string,
  payload: AlarmEvent,
  userIds: readonly string[],
): void {
  defer(work, collector, { orgId, kind: 'alarm', payload: { ...payload, user_ids: userIds } });
}

/** Tells connected dashboards of an organization, when this unit of work commits. */
export function publishMaintenance(work: Work, orgId: string, payload: MaintenanceEvent): void {
  defer(work, collector, { orgId, kind: 'maintenance', payload });
}

/** Tells connected dashboards of an organization, when this unit of work commits. */
export function publishDrill(work: Work, orgId: string, payload: DrillEvent): void {
  defer(work, collector, { orgId, kind: 'drill', payload });
}
