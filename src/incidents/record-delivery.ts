import { sql } from 'kysely';
import type { DeliveryEnd } from '../notifications/delivery/record-outcome.ts';
import type { Work } from '../platform/work.ts';

/**
 * Records in timelines that a target was notified, and with how many other incidents in one message, or could not be. Skips
 * deleted incidents.
 */
export async function recordDeliveries({ tx }: Work, ends: readonly DeliveryEnd[]): Promise<void> {
  const entries = ends
    .map(({ incidentId, ok, at, ...end }) => ({
      incident: incidentId,
      kind: ok ? 'delivered' : 'delivery_failed',
      at,
      // Truncation may leave half a surrogate pair, which PostgreSQL refuses.
      detail: wordsOf({ ok, ...end }).toWellFormed(),
    }))
    .toSorted((a, b) => (a.incident < b.incident ? -1 : a.incident > b.incident ? 1 : 0));
  // The lock waits for a deletion under way: without its incident the entry would be refused, and the delivery would stay
  // unrecorded until its lease runs out.
  await sql`
    INSERT INTO incident_timeline (incident_id, at, kind, detail)
    SELECT i.id, (e ->> 'at')::timestamptz, e ->> 'kind', e ->> 'detail'
    FROM jsonb_array_elements(${JSON.stringify(entries)}::jsonb) WITH ORDINALITY AS given (e, no)
    CROSS JOIN LATERAL (SELECT id FROM incidents WHERE id = e ->> 'incident' FOR KEY SHARE) i
    ORDER BY no`.execute(tx);
}

function wordsOf({
  event,
  target,
  ok,
  error,
  others,
}: Omit<DeliveryEnd, 'incidentId' | 'targetId' | 'at' | 'orgId'>) {
  const along = others === 0 ? '' : `, in one message with ${others} other${others === 1 ? '' : 's'}`;
  return ok ? `${event} to ${target}${along}` : `${event} to ${target}: ${error ?? 'failed'}${along}`;
}
