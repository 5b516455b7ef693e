import type { Database, Tx } from '../platform/work.ts';

/**
 * Voids a person's open steps: links that set a password, and sign-ins that wait for the second factor. They must not
 * survive a change of password or the deletion of the account.
 */
export async function voidOpenSteps(db: Database | Tx, userId: string): Promise<void> {
  await db.deleteFrom('verifications').where('value', '=', userId).execute();
}
