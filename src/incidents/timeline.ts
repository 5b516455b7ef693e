// Everything that happens in an incident (decisions, section 3), in the transaction in which it happens.
import { sql } from 'kysely';
import type { TimelineKind } from '../domain/names.ts';
import type { Within } from '../platform/http/caller.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Work } from '../platform/work.ts';
import type { TimelineEntry } from './contract.ts';
import { incidentOf } from './queries.ts';

export type Happening = {
  incidentId: string;
  kind: TimelineKind;
  at?: Date;
  actorName?: string | null;
  /** Whose name that is, where it is not the actor of the work. */
  actorUserId?: string | null;
  detail?: string | null;
};

/** Adds timeline entries, in this order; `at` defaults to the work's instant. */
export async function recordTimeline(work: Work, happenings: readonly Happening[]): Promise<void> {
  if (happenings.length === 0) return;
  const userId = work.actor.kind === 'user' ? work.actor.id : null;
  const rows = happenings.map(({ incidentId, kind, at, actorName, actorUserId, detail }) => ({
    incident_id: incidentId,
    kind,
    at: at ?? work.now,
    actor_name: actorName ?? null,
    actor_user_id: actorUserId !== undefined ? actorUserId : actorName == null ? null : userId,
    // Cut texts may end in half a character, which JSON takes and PostgreSQL does not.
    detail: detail?.toWellFormed() ?? null,
  }));
  await sql`
    INSERT INTO incident_timeline (incident_id, at, kind, actor_name, actor_user_id, detail)
    SELECT e ->> 'incident_id', (e ->> 'at')::timestamptz, e ->> 'kind', e ->> 'actor_name', e ->> 'actor_user_id',
      e ->> 'detail'
    FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS given (e, no) ORDER BY no`.execute(
    work.tx,
  );
}

/** The timeline of an incident of this organization, oldest first. */
export async function listTimeline(
  db: Database,
  orgId: string,
  incidentId: string,
  within: Within,
): Promise<TimelineEntry[]> {
  await incidentOf(db, orgId, incidentId, within);
  const rows = await db
    .selectFrom('incident_timeline')
    .select(['at', 'kind', 'actor_name', 'detail'])
    .where('incident_id', '=', incidentId)
    .orderBy('at')
    .orderBy('no')
    .execute();
  return rows.map((row) => ({
    at_unix: unix(row.at),
    kind: row.kind,
    actor_name: row.actor_name,
    detail: row.detail,
  }));
}
