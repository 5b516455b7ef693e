// Links in mails that acknowledge an alarm without signing in: for one person and one alarm, usable once, within a day.
import { sql } from 'kysely';
import { randomBase62 } from '../platform/base62.ts';
import { hashToken } from '../platform/secrets.ts';
import type { Database, Tx, Work } from '../platform/work.ts';

export const LINK_VALID_MS = 24 * 3_600_000;

/** 62^43 > 2^256. */
const TOKEN = /^[0-9A-Za-z]{43}$/;

export type AcknowledgeLink = {
  orgId: string;
  userId: string;
  alarmNo: number;
  expiresAt: Date;
  usedAt: Date | null;
};

/**
 * Makes a link and returns its token: 32 random bytes, of which only a hash is stored. null if the alarm was deleted.
 * Every attempt to send a mail makes its own link, because an attempt that seemed to fail may have arrived.
 */
export async function makeAcknowledgeLink(
  db: Database,
  now: Date,
  { orgId, userId, alarmNo }: { orgId: string; userId: string; alarmNo: number },
): Promise<string | null> {
  const token = randomBase62();
  const expiresAt = new Date(now.getTime() + LINK_VALID_MS);
  const { rows } = await sql`
    INSERT INTO acknowledge_links (hash, org_id, user_id, alarm_no, created_at, expires_at)
    SELECT ${hashToken(token)}, ${orgId}, ${userId}, a.no, ${now}, ${expiresAt}
    FROM alarms a WHERE a.no = ${alarmNo} AND a.org_id = ${orgId}
    RETURNING 1`.execute(db);
  return rows.length > 0 ? token : null;
}

export const acknowledgeUrl = (baseUrl: string, token: string) => `${baseUrl}/ack/${token}`;

/** The link with this token; null for an unknown one. Used and expired links differ by their fields. */
export async function findAcknowledgeLink(db: Database | Tx, token: string): Promise<AcknowledgeLink | null> {
  if (!TOKEN.test(token)) return null;
  const { rows } = await sql<AcknowledgeLink>`
    SELECT org_id AS "orgId", user_id AS "userId", alarm_no AS "alarmNo", expires_at AS "expiresAt",
      used_at AS "usedAt"
    FROM acknowledge_links WHERE hash = ${hashToken(token)}`.execute(db);
  return rows[0] ?? null;
}

/** Marks a link as used; false if it was used meanwhile, or has expired. */
export async function spendAcknowledgeLink({ tx, now }: Work, token: string): Promise<boolean> {
  const { rows } = await sql`
    UPDATE acknowledge_links SET used_at = ${now}
    WHERE hash = ${hashToken(token)} AND used_at IS NULL AND expires_at > ${now} RETURNING 1`.execute(tx);
  return rows.length > 0;
}
