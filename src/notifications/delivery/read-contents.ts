// Reads the events of claimed deliveries.
import { sql } from 'kysely';
import type { Work } from '#src/platform/work.ts';
import { madeAt } from './queue.ts';
import type { Claimed, Content } from './send.ts';

/**
 * Contents by event id. Removes deliveries whose event is no longer kept. People appear under their current names; deleted
 * people, and people whose name is an address, are not named.
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
