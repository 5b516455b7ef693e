// The first start of an installation (docs/rules/access.md#first-start): an admin from the environment, or a one-time link.
import { sql } from 'kysely';
import { refuse } from '../platform/refusals.ts';
import { hashToken, randomToken } from '../platform/secrets.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import { createUser } from './create-user.ts';

/** Serializes first starts of several servers on one database, until the end of the transaction. */
export async function lockInstallation(tx: Tx): Promise<void> {
  await sql`SELECT 1 FROM installation FOR UPDATE`.execute(tx);
}

/** Whether anybody has an account yet. */
export async function hasUsers(tx: Database): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`SELECT EXISTS (SELECT FROM users) AS any`.execute(tx);
  return rows[0]?.any === true;
}

/**
 * Makes the one-time set-up token while there is no user; null when there is one. Each start makes a new token:
 * only its hash is kept, and an old link in a log is void.
 */
export async function makeSetupToken(work: Work): Promise<string | null> {
  await lockInstallation(work.tx);
  if (await hasUsers(work.tx)) return null;
  const token = randomToken(24);
  await work.tx
    .updateTable('installation')
    .set({ setup_token_hash: hashToken(token) })
    .execute();
  return token;
}

/** Whether a text is the current set-up token; cheap, so that nobody without it makes the server hash passwords. */
export async function isSetupToken(db: Database, token: string): Promise<boolean> {
  const row = await db.selectFrom('installation').select('setup_token_hash').executeTakeFirst();
  return row?.setup_token_hash != null && hashToken(token).equals(row.setup_token_hash);
}

export type FirstUser = { email: string; name: string; passwordHash: string };

/** Spends the set-up token and creates the operator. Refuses a wrong, spent or late token with 403. */
export async function spendSetupToken(work: Work, token: string, user: FirstUser): Promise<string> {
  const row = await work.tx
    .selectFrom('installation')
    .select('setup_token_hash')
    .forUpdate()
    .executeTakeFirstOrThrow();
  const hash = row.setup_token_hash;
  if (!hash || !hashToken(token).equals(hash) || (await hasUsers(work.tx))) refuseSetup();
  await work.tx.updateTable('installation').set({ setup_token_hash: null }).execute();
  // The person who sets the installation up vouches for the address.
  return createUser(work, { ...user, operator: true, emailVerified: true });
}

/** 403 for a wrong, spent or late set-up token. */
export function refuseSetup(): never {
  refuse(
    'forbidden',
    'This set-up link is not valid any more. Restart Tocsin to get a new one, or sign in.',
    {
      field: 'token',
    },
  );
}
