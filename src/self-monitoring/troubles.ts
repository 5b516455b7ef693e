// Troubles of the installation, from their beginning to their end: rows that the operator reads, and is mailed about.
import { sql } from 'kysely';
import type { Database, Work } from '../platform/work.ts';

export const OPERATOR_TROUBLES = [
  'region_offline',
  'probe_lagging',
  'queue_lagging',
  'disk_full',
  'edge_failing',
] as const;
export type OperatorTrouble = (typeof OPERATOR_TROUBLES)[number];

/**
 * The present state of a subject: `bad` begins a problem, `good` ends it, `gone` ends it without a mail, since nothing is better than
 * before. An unknown state does neither.
 */
export type Condition = {
  subject: string;
  is: 'bad' | 'good' | 'gone';
  /** Since when it is bad. */
  since?: Date;
  data?: Record<string, unknown>;
};

/** Begins and ends troubles of a kind by what is known now. Subjects that are not named stay as they are. */
export async function applyConditions(
  { tx, now }: Work,
  kind: OperatorTrouble,
  conditions: readonly Condition[],
): Promise<void> {
  if (conditions.length === 0) return;
  const rows = conditions.map(({ subject, is, since = now, data = {} }) => ({ subject, is, since, data }));
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    AS c (subject text, "is" text, since timestamptz, data jsonb)`;
  await sql`
    WITH begun AS (
      INSERT INTO troubles (kind, subject, data, began_at)
      SELECT ${kind}, c.subject, c.data, least(c.since, ${now}) FROM ${given} WHERE c."is" = 'bad'
        AND NOT EXISTS (SELECT FROM troubles t WHERE t.kind = ${kind} AND t.subject = c.subject AND t.ended_at IS NULL)
    )
    UPDATE troubles t SET ended_at = ${now},
      -- Nobody hears of the end of what nobody heard of.
      end_notified_at = CASE WHEN c."is" = 'gone' OR t.notified_at IS NULL AND t.sending_until IS NULL THEN ${now}::timestamptz END,
      unmailed = CASE WHEN c."is" = 'gone' THEN '{}' ELSE t.unmailed END
    FROM ${given} WHERE c."is" <> 'bad' AND t.kind = ${kind} AND t.subject = c.subject AND t.ended_at IS NULL`.execute(
    tx,
  );
}

export type Trouble = {
  no: number;
  kind: OperatorTrouble;
  subject: string;
  data: Record<string, unknown>;
  began_at: Date;
  ended_at: Date | null;
};

/** Troubles of the operator that stand now, the oldest first. */
export async function currentTroubles(db: Database): Promise<Trouble[]> {
  const { rows } = await sql<Trouble>`
    SELECT no, kind, subject, data, began_at, ended_at FROM troubles
    WHERE ended_at IS NULL AND kind <> 'no_data' ORDER BY began_at, no`.execute(db);
  return rows;
}

const KEPT_MS = 30 * 86_400_000;

/** Deletes troubles that ended 30 days ago (docs/rules/limits.md#retention). */
export async function forgetOldTroubles(db: Database, now: Date): Promise<void> {
  await sql`DELETE FROM troubles WHERE ended_at < ${new Date(now.getTime() - KEPT_MS)}`.execute(db);
}
