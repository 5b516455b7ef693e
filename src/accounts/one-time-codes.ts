import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';

/** A code is valid for its own half minute and the two beside it. */
const LONGEST_VALID_MS = 90_000;

/**
 * Notes that a code of an authenticator app or for recovery was tried, and refuses it when it has been already: whoever looks
 * over a shoulder cannot use it again (RFC 6238, section 5.2). Noted before it is checked, so that of two at once one passes:
 * the library strikes a recovery code off with an update whose condition PostgreSQL does not look at again after waiting.
 */
export async function refuseUsedCode(
  db: Database,
  now: Date,
  { userId, code, reason }: { userId: string; code: string; reason: 'invalid_code' | 'invalid_backup_code' },
): Promise<void> {
  // Kept among the library's one-time values, which are removed when they have run out; the key makes it atomic.
  const id = `code_${createHash('sha256').update(`${userId} ${code}`).digest('base64url')}`;
  const until = new Date(now.getTime() + LONGEST_VALID_MS);
  const { rows } = await sql`
    INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
    VALUES (${id}, ${id}, 'tried', ${until}, ${now}, ${now})
    ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at WHERE verifications.expires_at < ${now}
    RETURNING id`.execute(db);
  if (rows.length === 0)
    refuse(
      'unauthenticated',
      reason === 'invalid_code'
        ? 'This code was used already; wait for the next one.'
        : 'This code was used already; use another one.',
      { reason },
    );
}
