// The owner that an organization counts under when shares are computed: the one of longest standing.
import type { Database } from '../platform/work.ts';

/** How long an answer is cached; a change of owners affects shares after at most this. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 20_000;

/** Answers an organization's first owner, as of the last minute; null where it has none. */
export type FirstOwnerOf = (orgId: string, now: Date) => Promise<string | null>;

export function makeFirstOwnerOf(db: Database): FirstOwnerOf {
  const remembered = new Map<string, { userId: string | null; untilMs: number }>();
  return async (orgId, now) => {
    const before = remembered.get(orgId);
    if (before && before.untilMs > now.getTime()) return before.userId;
    const row = await db
      .selectFrom('first_owners')
      .select('user_id')
      .where('org_id', '=', orgId)
      .executeTakeFirst();
    const userId = row?.user_id ?? null;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(orgId, { userId, untilMs: now.getTime() + REMEMBERED_MS });
    return userId;
  };
}
