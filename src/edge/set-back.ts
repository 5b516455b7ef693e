import { countAsNow } from '../platform/db/set-back.ts';
import type { Work } from '../platform/work.ts';

/** The clock was set back: orders of certificates count as of now, and an edge fails since now at the latest. */
export async function rightEdges(work: Work): Promise<void> {
  await countAsNow(work, 'certificate_orders', ['at']);
  await countAsNow(work, 'edges', ['seen_at', 'failing_since']);
}
