// The timeline of an incident (docs/rules/confirmation.md#timeline), written in the transaction that changes the incident.
import { type RawBuilder, sql } from 'kysely';
import type { TimelineKind } from '../domain/names.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import type { Page } from '../platform/http/page.ts';
import { notFound } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Work } from '../platform/work.ts';
import type { TimelineEntry } from './contract.ts';
import { incidentOf } from './queries.ts';

export type TimelineEvent = {
  incidentId: string;
  kind: TimelineKind;
  at?: Date;
  actorName?: string | null;
  /** The user of `actorName`, if it is not the actor of the work. */
  actorUserId?: string | null;
  detail?: string | null;
};

/** Adds timeline entries, in this order; `at` defaults to the work's instant. */
export async function recordTimeline(work: Work, events: readonly TimelineEvent[]): Promise<void> {
  await timelineEntries(work, events)?.execute(work.tx);
}

/** The statement that adds these entries; null: there are none. */
export const timelineEntries = (work: Work, events: readonly TimelineEvent[]): RawBuilder<unknown> | null =>
  events.length === 0 ? null : addingEntries(work, events);

/** The same, for any number. `among`: a query of the incidents that get theirs; all by default. */
export function addingEntries(
  work: Work,
  events: readonly TimelineEvent[],
  among?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const userId = work.actor.kind === 'user' ? work.actor.id : null;
  const rows = events.map(({ incidentId, kind, at, actorName, actorUserId, detail }) => ({
    incident_id: incidentId,
    kind,
    at: at ?? work.now,
    actor_name: actorName ?? null,
    actor_user_id: actorUserId !== undefined ? actorUserId : actorName == null ? null : userId,
    // Truncation may leave half a surrogate pair, which PostgreSQL refuses.
    detail: detail?.toWellFormed() ?? null,
  }));
  return sql`
    INSERT INTO incident_timeline (incident_id, at, kind, actor_name, actor_user_id, detail)
    SELECT e ->> 'incident_id', (e ->> 'at')::timestamptz, e ->> 'kind', e ->> 'actor_name', e ->> 'actor_user_id',
      e ->> 'detail'
    FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS given (e, no)
    ${among === undefined ? sql`` : sql`WHERE e ->> 'incident_id' IN (${among})`} ORDER BY no`;
}

/** The timeline of an incident of this organization, oldest first; `before` is the last entry of the previous page. */
export async function listTimeline(
  db: Database,
  orgId: string,
  incidentId: string,
  within: ResourceFilter,
  { limit, before }: Page,
): Promise<TimelineEntry[]> {
  await incidentOf(db, orgId, incidentId, within);
  const all = db.selectFrom('incident_timeline').where('incident_id', '=', incidentId);
  let query = all;
  if (before !== null) {
    const last = /^[0-9]{1,15}$/.test(before)
      ? await all.select(['at', 'no']).where('no', '=', Number(before)).executeTakeFirst()
      : undefined;
    if (!last) return notFound('timeline entry');
    query = query.where((eb) =>
      eb.or([eb('at', '>', last.at), eb.and([eb('at', '=', last.at), eb('no', '>', last.no)])]),
    );
  }
  const rows = await query
    .select(['no', 'at', 'kind', 'actor_name', 'detail'])
    .orderBy('at')
    .orderBy('no')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: String(row.no),
    at_unix: unix(row.at),
    kind: row.kind,
    actor_name: row.actor_name,
    detail: row.detail,
  }));
}
