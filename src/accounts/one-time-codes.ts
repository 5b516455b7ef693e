import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';

/** A code is valid for its own half minute and the two beside it. */
const LONGEST_VALID_MS = 90_000;

/**
 * Notes that an authenticator or recovery code was tried, and refuses a second try: a code seen over a shoulder is worthless
 * (RFC 6238, section 5.2). It is noted before the check, so that only one of two concurrent tries passes. The library's own
 * update of recovery codes does not ensure that.
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
