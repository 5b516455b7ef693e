import { sql } from 'kysely';
import { hook } from '../platform/hook.ts';
import type { Tx, Work } from '../platform/work.ts';

/** Monitors of an organization got these tags or lost them, or have them and another name: what shows them by tag orders them by name. */
export const tagsChanged = hook<{ orgId: string; tags: readonly string[] }>();

/**
 * Held until the end of the transaction. Writers of tags share it; a writer of something that selects monitors by tag holds it
 * alone, so neither misses the other. Taken before the state of any monitor; see docs/architecture.md, "Locks, in order".
 */
export async function lockTags(tx: Tx, orgId: string, mode: 'shared' | 'exclusive'): Promise<void> {
  const key = sql`hashtextextended(${`tags ${orgId}`}, 0)`;
  await (mode === 'shared'
    ? sql`SELECT pg_advisory_xact_lock_shared(${key})`
    : sql`SELECT pg_advisory_xact_lock(${key})`
  ).execute(tx);
}

/** `lockTags`, shared, for the organization of a monitor; does nothing if the monitor is gone. */
export async function lockTagsOf(tx: Tx, monitorId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended('tags ' || org_id, 0))
    FROM monitors WHERE id = ${monitorId}`.execute(tx);
}

/** Announces the difference between the tags before and after. */
export async function announceTags(
  work: Work,
  orgId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const tags = [
    ...before.filter((tag) => !after.includes(tag)),
    ...after.filter((tag) => !before.includes(tag)),
  ];
  if (tags.length > 0) await tagsChanged.run(work, { orgId, tags });
}

/** Announces the tags of a monitor that has another name. */
export async function announceRename(
  work: Work,
  before: { org_id: string; name: string },
  { name, tags }: { name: string; tags: readonly string[] },
): Promise<void> {
  if (name !== before.name && tags.length > 0) await tagsChanged.run(work, { orgId: before.org_id, tags });
}
