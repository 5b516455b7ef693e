// Events for notification targets, without an outage behind them: many at once, cheaply.
import { sql } from 'kysely';
import type { ChannelFamily, EventName } from '#src/domain/names.ts';
import type { IncidentPayload } from '#src/notifications/event-body.ts';
import { enqueueEvents } from '#src/notifications/outbox.ts';
import { inTransaction } from '#src/platform/db/transaction.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import type { TestApp } from './app.ts';

/** The payload of an incident that is stored nowhere. */
export function incidentPayload(id: string): IncidentPayload {
  return {
    id,
    cause: 'http_status',
    summary: '',
    status: 'open',
    lifecycle_state: 'triggered',
    severity: 'critical',
    severity_level: null,
    started_at_unix: 1_800_000_000,
    resolved_at_unix: null,
    acknowledged_at_unix: null,
    auto_resolved: false,
    down_regions: ['local'],
    region_count: 1,
    monitor_name: `Monitor of ${id}`,
    project_name: 'Shop',
  };
}

/** Enqueues the event for each of these incidents, in one unit of work. */
export function enqueueEach(
  app: TestApp,
  orgId: string,
  event: EventName,
  incidentIds: readonly string[],
  families: readonly ChannelFamily[] = ['webhook', 'chat', 'paging'],
): Promise<void> {
  const events = incidentIds.map((id) => ({
    event,
    projectId: null,
    monitorNo: null,
    groupNo: null,
    incident: incidentPayload(id),
  }));
  return runWork(app.db, app.clock.now(), SYSTEM, (work) => enqueueEvents(work, orgId, events, families));
}

export const idsOf = (howMany: number, prefix = 'inc') =>
  Array.from({ length: howMany }, (_, i) => `${prefix}_${i}`);

/** Holds the lock of claims: no worker claims a delivery until `act` is over. */
export const whileNobodyClaims = (app: TestApp, act: () => Promise<void>): Promise<void> =>
  inTransaction(app.db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('tocsin deliveries'))`.execute(tx);
    await act();
  });
