import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { checkedName } from '../platform/checked-name.ts';
import type { BodyOf } from '../platform/contract.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { Me, updateMe as operation, RemovedAtFirstProof } from './contract.ts';

/** The signed-in person as they see themselves; `unauthenticated` when the account was deleted meanwhile. */
export async function getMe(db: Database | Tx, userId: string): Promise<Me> {
  const { rows } = await sql<Row>`
    SELECT u.id AS user_id, u.name, u.email, u.language, u.operator, u.two_factor_enabled,
           EXISTS (SELECT FROM accounts a WHERE a.user_id = u.id AND a.provider_id = 'credential'
                   AND a.password IS NOT NULL) AS has_password,
           (SELECT count(*) FROM passkeys p WHERE p.user_id = u.id)::int AS passkeys, u.first_proof
    FROM users u WHERE u.id = ${userId}`.execute(db);
  const [row] = rows;
  if (!row) refuse('unauthenticated', 'This account no longer exists.');
  const proof = row.first_proof;
  return {
    ...row,
    first_proof: proof && { at_unix: unix(new Date(proof.at)), removed: proof.removed },
  };
}

type Row = Omit<Me, 'first_proof'> & { first_proof: { at: string; removed: RemovedAtFirstProof } | null };

/** Changes name or language. Member lists and new log entries show the name; earlier entries keep the former one. */
export async function updateMe(work: Work, userId: string, given: BodyOf<typeof operation>): Promise<Me> {
  if (given.name === undefined && given.language === undefined)
    refuse('invalid_request', 'name or language is required.', { field: 'name' });
  // Name and language may be changed at once: neither change may write the other back.
  await sql`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`.execute(work.tx);
  const before = await getMe(work.tx, userId);
  const { name: wanted, language = before.language, ...readOnly } = given;
  refuseChangedReadOnly(readOnly, before);
  const name = wanted === undefined ? before.name : checkedName(wanted);
  if (before.name === name && before.language === language) return before;
  const change = { name, language, updated_at: work.now };
  await work.tx.updateTable('users').set(change).where('id', '=', userId).execute();
  const resource = { kind: 'account', id: userId, name };
  if (before.name !== name)
    await recordActivity(work, {
      orgId: null,
      action: 'account.rename',
      resource,
      before: { name: before.name },
      after: { name },
    });
  if (before.language !== language)
    await recordActivity(work, {
      orgId: null,
      action: 'account.set_language',
      resource,
      before: { language: before.language },
      after: { language },
    });
  return { ...before, name, language };
}
