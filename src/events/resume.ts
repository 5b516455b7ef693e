// The start of a live stream: after the last event that the client has, if the events since then are still stored.
import type { Database } from '../platform/work.ts';

/** A resume further back than this gets `event: reset`: the client must reload. */
const RESUME_LIMIT = 1000;

/** Whether every event after `asked` is still stored; events are deleted by the day. */
async function canResume(db: Database, orgId: string, asked: number, newest: number): Promise<boolean> {
  if (asked > newest || newest - asked > RESUME_LIMIT) return false;
  if (asked === newest) return true;
  const next = await db
    .selectFrom('live_events')
    .select('seq')
    .where('org_id', '=', orgId)
    .where('seq', '=', asked + 1)
    .limit(1)
    .executeTakeFirst();
  return next !== undefined;
}

/**
 * The number of the event after which a stream starts, and whether the client missed events that it cannot have any more.
 * `given`: the client's Last-Event-ID header.
 */
export async function startOf(
  db: Database,
  orgId: string,
  given: unknown,
): Promise<{ lastSeq: number; missed: boolean }> {
  const { live_seq } = await db
    .selectFrom('organizations')
    .select('live_seq')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
  const newest = Number(live_seq);
  const asked = typeof given === 'string' && /^[0-9]{1,15}$/.test(given) ? Number(given) : null;
  const resumes = asked !== null && (await canResume(db, orgId, asked, newest));
  return { lastSeq: resumes ? asked : newest, missed: !resumes && given !== undefined };
}
