import { sql } from 'kysely';
import type { Work } from '../platform/work.ts';
import type { DeliveryEnd } from '../webhooks/desk/settle.ts';
import { recordTimeline } from './timeline.ts';

/** Entries that are written with one statement. */
const TOGETHER = 1_000;

/**
 * Notes in timelines that a target was told, and with how many others, or could not be. An incident deleted meanwhile
 * has no timeline.
 */
export async function recordDeliveries(work: Work, ends: readonly DeliveryEnd[]): Promise<void> {
  const ids = [...new Set(ends.map(({ incidentId }) => incidentId))];
  // Of a deletion under way the end is awaited: without its incident the entry would be refused, and the delivery
  // that was made would stay unrecorded until its lease runs out.
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM incidents WHERE id = ANY(${ids}::text[]) ORDER BY id FOR KEY SHARE`.execute(work.tx);
  const there = new Set(rows.map(({ id }) => id));
  const entries = ends
    .filter(({ incidentId }) => there.has(incidentId))
    .map(({ incidentId, ok, at, ...end }) => ({
      incidentId,
      kind: ok ? ('delivered' as const) : ('delivery_failed' as const),
      at,
      detail: wordsOf({ ok, ...end }),
    }));
  for (let i = 0; i < entries.length; i += TOGETHER)
    await recordTimeline(work, entries.slice(i, i + TOGETHER));
}

function wordsOf({ event, target, ok, error, others }: Omit<DeliveryEnd, 'incidentId' | 'at' | 'orgId'>) {
  const along = others === 0 ? '' : `, in one message with ${others} other${others === 1 ? '' : 's'}`;
  return ok ? `${event} to ${target}${along}` : `${event} to ${target}: ${error ?? 'failed'}${along}`;
}
