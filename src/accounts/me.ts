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
    SELECT u.id AS user_id, u.name, u.email, u.operator, u.two_factor_enabled,
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

/** Changes the name. Member lists and new log entries show it; earlier entries keep the former one. */
export async function updateMe(work: Work, userId: string, given: BodyOf<typeof operation>): Promise<Me> {
  const before = await getMe(work.tx, userId);
  const { name: wanted, ...readOnly } = given;
  refuseChangedReadOnly(readOnly, before);
  const name = checkedName(wanted);
  if (before.name === name) return before;
  await work.tx.updateTable('users').set({ name, updated_at: work.now }).where('id', '=', userId).execute();
  await recordActivity(work, {
    orgId: null,
    action: 'account.rename',
    resource: { kind: 'account', id: userId, name },
    before: { name: before.name },
    after: { name },
  });
  return { ...before, name };
}
