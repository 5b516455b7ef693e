import { sql } from 'kysely';
import type { Database } from '../platform/work.ts';
import type { ChainedEntry } from './chain.ts';
import { type ChainBreak, walkChain } from './walk-chain.ts';

export type Verified = { org_id: string; slug: string; entries: number; breaks: ChainBreak[] };

type Head = {
  id: string;
  slug: string;
  activity_no: string | number;
  activity_hash: Buffer;
  activity_dropped_no: string | number;
  activity_dropped_hash: Buffer;
  activity_unchained: string | number;
};

/** Entries read at a time. */
const PAGE = 2000;
/** Most breaks reported per log; the first ones suffice for a log that was rewritten as a whole. */
const MAX_BREAKS = 20;

/** Walks along the activity log of every organization, one after the other; `signal` ends it in between. */
export async function* verifyActivity(db: Database, signal?: AbortSignal): AsyncIterable<Verified> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM organizations ORDER BY id`.execute(db);
  for (const { id } of rows) {
    signal?.throwIfAborted();
    const verified = await verifyOne(db, id);
    if (verified) yield verified;
  }
}

/** Reads as of one instant, so no entry is half seen. null: the organization was deleted meanwhile. */
function verifyOne(db: Database, orgId: string): Promise<Verified | null> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const head = (
        await sql<Head>`
          SELECT id, slug, activity_no, activity_hash, activity_dropped_no, activity_dropped_hash, activity_unchained
          FROM organizations WHERE id = ${orgId}`.execute(tx)
      ).rows[0];
      if (!head) return null;
      const walk = walkChain(
        { no: Number(head.activity_dropped_no), hash: head.activity_dropped_hash },
        Number(head.activity_unchained),
      );
      const breaks: ChainBreak[] = [];
      let entries = 0;
      // Sorted once, read in parts.
      await sql`DECLARE entries NO SCROLL CURSOR FOR
        SELECT * FROM activity WHERE org_id = ${sql.lit(orgId)} ORDER BY chain_no NULLS FIRST, id`.execute(
        tx,
      );
      for (;;) {
        const { rows } = await sql<ChainedEntry>`FETCH ${sql.lit(PAGE)} FROM entries`.execute(tx);
        for (const entry of rows) breaks.push(...walk.take(entry));
        entries += rows.length;
        if (rows.length < PAGE) break;
      }
      breaks.push(...walk.end({ no: Number(head.activity_no), hash: head.activity_hash }));
      return { org_id: orgId, slug: head.slug, entries, breaks: breaks.slice(0, MAX_BREAKS) };
    });
}
