import type { Work } from '../platform/work.ts';
import { recordTimeline } from './timeline.ts';

export type Delivered = {
  incidentId: string;
  target: string;
  event: string;
  ok: boolean;
  error: string | null;
  at: Date;
};

/** Notes in the timeline that a target was told, or could not be. An incident deleted meanwhile has no timeline. */
export async function recordDelivery(
  work: Work,
  { incidentId, target, event, ok, error, at }: Delivered,
): Promise<void> {
  const incident = await work.tx
    .selectFrom('incidents')
    .select('id')
    .where('id', '=', incidentId)
    // Of a deletion under way the end is awaited: without its incident the entry would be refused, and the delivery
    // that was made would stay unrecorded until its lease runs out.
    .forKeyShare()
    .executeTakeFirst();
  if (!incident) return;
  await recordTimeline(work, [
    {
      incidentId,
      kind: ok ? 'delivered' : 'delivery_failed',
      at,
      detail: ok ? `${event} to ${target}` : `${event} to ${target}: ${error ?? 'failed'}`,
    },
  ]);
}
