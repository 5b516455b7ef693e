// Notes and status updates, on closed incidents too: people often find the cause afterwards.
import { recordActivity } from '../activity/record.ts';
import type { NoteKind, Visibility } from '../domain/names.ts';
import type { BodyOf } from '../platform/contract.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import type { Page } from '../platform/http/page.ts';
import { newId } from '../platform/ids.ts';
import { notFound } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Work } from '../platform/work.ts';
import type { createNote as contract, Note } from './actions-contract.ts';
import { announceIncident } from './announce.ts';
import { lockIncident } from './lock.ts';
import { incidentOf } from './queries.ts';
import { checkedText, excerptOf } from './texts.ts';
import { recordTimeline } from './timeline.ts';

/** Adds a note in the caller's name and notifies targets (`updated`). Refuses an empty body (400). */
export async function createNote(
  work: Work,
  orgId: string,
  incidentId: string,
  given: BodyOf<typeof contract>,
  within: ResourceFilter,
): Promise<Note> {
  const { tx, now, actor } = work;
  // The lock keeps the notification behind those of earlier changes.
  const incident = await lockIncident(work, orgId, incidentId, within);
  const body = checkedText(given.body, 'body');
  const { kind, visibility } = given;
  const row = {
    id: newId('nte'),
    incident_id: incidentId,
    kind,
    visibility,
    body,
    author_name: actor.name,
    author_user_id: actor.kind === 'user' ? actor.id : null,
    created_at: now,
  };
  await tx.insertInto('incident_notes').values(row).execute();
  const note = noteOf(row);
  await recordTimeline(work, [{ incidentId, kind: 'note', actorName: actor.name, detail: excerptOf(body) }]);
  announceIncident(work, incident, 'noted', note);
  await recordActivity(work, {
    orgId,
    action: 'incident.note',
    resource: { kind: 'incident', id: incidentId, name: incident.cause },
    after: { note_id: note.id, kind, visibility, body: excerptOf(body) },
  });
  return note;
}

/** The notes of an incident, oldest first; `before` is the last note of the previous page. */
export async function listNotes(
  db: Database,
  orgId: string,
  incidentId: string,
  within: ResourceFilter,
  { limit, before }: Page,
): Promise<Note[]> {
  await incidentOf(db, orgId, incidentId, within);
  const all = db.selectFrom('incident_notes').selectAll().where('incident_id', '=', incidentId);
  let query = all;
  if (before !== null) {
    const last = await all.where('id', '=', before).executeTakeFirst();
    if (!last) return notFound('note');
    query = query.where((eb) =>
      eb.or([
        eb('created_at', '>', last.created_at),
        eb.and([eb('created_at', '=', last.created_at), eb('id', '>', last.id)]),
      ]),
    );
  }
  const rows = await query.orderBy('created_at').orderBy('id').limit(limit).execute();
  return rows.map(noteOf);
}

type Row = {
  id: string;
  body: string;
  kind: string;
  visibility: string;
  author_name: string;
  created_at: Date;
};

const noteOf = ({ id, body, kind, visibility, author_name, created_at }: Row): Note => ({
  id,
  body,
  kind: kind as NoteKind,
  visibility: visibility as Visibility,
  author_name,
  created_at_unix: unix(created_at),
});
