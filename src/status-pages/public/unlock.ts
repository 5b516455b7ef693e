// Unlocks a page with its shared password. Guessing is slowed down like that of people's passwords: by page and by address, in
// the database, for all servers together (docs/rules/limits.md#wrong-tries).
import { passwordMatches } from '#src/accounts/password-hashing.ts';
import type { SlowDown } from '#src/accounts/slow-down.ts';
import { notFound } from '#src/platform/refusals.ts';
import type { Database } from '#src/platform/work.ts';
import type { ServedPage } from './directory.ts';

export type Visitor = { address: string };

/**
 * Whether this is the shared password of the page. Throws `rate_limited` after too many wrong tries, and `not_found` for a page
 * without one.
 */
export async function isSharedPassword(
  { db, slowDown }: { db: Database; slowDown: SlowDown },
  page: ServedPage,
  password: string,
  { address }: Visitor,
): Promise<boolean> {
  if (page.accessMode !== 'shared_password') return notFound('shared password of this page');
  const account = `status page ${page.id}`;
  const guess = await slowDown.enter('password', account, address);
  const row = await db
    .selectFrom('status_pages')
    .select('shared_password_hash as hash')
    .where('id', '=', page.id)
    .executeTakeFirst();
  if (!row?.hash || !(await passwordMatches({ hash: row.hash, password }))) return false;
  await guess.right();
  await slowDown.knows(account, address);
  return true;
}
