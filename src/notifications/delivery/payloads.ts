// What deliveries tell of, from the outbox.
import { sql } from 'kysely';
import type { Work } from '#src/platform/work.ts';
import type { Claimed, Content } from './attempt.ts';
import { madeAt } from './generic-plans.ts';

/**
 * By event id. What is older than is kept tells of nothing any more: it leaves the queue. A person is named as they are
 * called now, and not at all once they are deleted, or by an address.
 */
export async function readContents(
  { tx }: Work,
  claimed: readonly Pick<Claimed, 'seq' | 'event_id' | 'created_at'>[],
): Promise<Map<string, Content>> {
  const ids = [...new Set(claimed.map(({ event_id }) => event_id))];
  const { rows } = await sql<Content & { id: string }>`
    SELECT id, event, incident_id, body,
      (SELECT nullif(u.name, '') FROM users u WHERE u.id = actor_user_id AND strpos(u.name, '@') = 0) AS actor
    FROM outbox WHERE ${madeAt(
      ids,
      claimed.map(({ created_at }) => created_at),
    )}`.execute(tx);
  const contents = new Map(rows.map(({ id, ...content }) => [id, content]));
  const gone = claimed.filter(({ event_id }) => !contents.has(event_id)).map(({ seq }) => String(seq));
  if (gone.length > 0) await sql`DELETE FROM delivery_queue WHERE seq = ANY(${gone}::bigint[])`.execute(tx);
  return contents;
}
