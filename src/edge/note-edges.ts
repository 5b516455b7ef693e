// Records the states of edges in the database for self-monitoring, since any server may observe them and any may watch.
import { hostname } from 'node:os';
import { sql } from 'kysely';
import { DAY_MS } from '#src/domain/durations.ts';
import type { Database } from '#src/platform/work.ts';
import type { EdgeState } from './push.ts';

/** The name of an edge, with the machine's name for loopback addresses. */
export function edgeAddress(adminUrl: string): string {
  const host = new URL(adminUrl).hostname;
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host) ? `${adminUrl} on ${hostname()}` : adminUrl;
}

/** Records the state of each edge, and since when it has been failing. */
export async function noteEdges(db: Database, now: Date, states: readonly EdgeState[]): Promise<void> {
  const seen = states.map(({ adminUrl, failure }) => ({
    address: edgeAddress(adminUrl),
    failure: failure?.reason ?? null,
    sentence: failure?.message ?? null,
  }));
  await sql`
    INSERT INTO edges AS e (address, seen_at, failing_since, failure, sentence)
    SELECT s.address, ${now}, CASE WHEN s.failure IS NOT NULL THEN ${now}::timestamptz END, s.failure, s.sentence
    FROM jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) AS s (address text, failure text, sentence text)
    ON CONFLICT (address) DO UPDATE SET seen_at = excluded.seen_at, failure = excluded.failure, sentence = excluded.sentence,
      failing_since = CASE WHEN excluded.failure IS NOT NULL THEN coalesce(e.failing_since, excluded.failing_since) END`.execute(
    db,
  );
}

/** Forgets edges that no server has observed for a day. */
export async function forgetOldEdges(db: Database, now: Date): Promise<void> {
  await sql`DELETE FROM edges WHERE seen_at < ${new Date(now.getTime() - DAY_MS)}`.execute(db);
}
