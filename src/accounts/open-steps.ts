import type { Database, Tx } from '../platform/work.ts';

/**
 * Voids what a person has open: links that set a password, and sign-ins that wait for their second step. With another
 * password, or without its account, none of them may lead anywhere.
 */
export async function voidOpenSteps(db: Database | Tx, userId: string): Promise<void> {
  await db.deleteFrom('verifications').where('value', '=', userId).execute();
}
