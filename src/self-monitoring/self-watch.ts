// Since when we have been looking. While no server ran, or none reached the database, others were silent for no fault of
// theirs; what was not seen then proves nothing.
import { sql } from 'kysely';
import type { Work } from '../platform/work.ts';

/** A gap longer than this between two turns: nobody was watching. */
const AWAY_MS = 10_000;
/** Several servers take turns. */
const TURN_MS = 1_000;

export type Watching = {
  /** Without a gap. */
  since: Date;
  /** Since when results have been stored without a gap, too: while the disk is full they are not. */
  storingSince: Date;
};

type Row = { watched_at: Date | null; watching_since: Date | null; storing_since: Date | null };

/** Takes this turn, under the lock of the watch; null: another server has it, or had it a moment ago. */
export async function claimRound({ tx, now }: Work, storing: boolean): Promise<Watching | null> {
  const { rows } = await sql<Row>`
    SELECT watched_at, watching_since, storing_since FROM self_watch FOR UPDATE SKIP LOCKED`.execute(tx);
  const [row] = rows;
  if (!row) return null;
  const gapMs = row.watched_at === null ? Number.POSITIVE_INFINITY : now.getTime() - row.watched_at.getTime();
  if (gapMs >= 0 && gapMs < TURN_MS) return null;
  // A clock that was set back proves as little.
  const isGap = gapMs < 0 || gapMs > AWAY_MS;
  const since = isGap || row.watching_since === null ? now : row.watching_since;
  const storingSince = isGap || !storing || row.storing_since === null ? now : row.storing_since;
  await sql`UPDATE self_watch SET watched_at = ${now}, watching_since = ${since}, storing_since = ${storingSince}`.execute(
    tx,
  );
  return { since, storingSince };
}

/** Locks the watch for a part of a turn that was claimed before; false: another server has it. */
export async function holdRound({ tx }: Work): Promise<boolean> {
  const { rows } = await sql`SELECT FROM self_watch FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows.length > 0;
}
