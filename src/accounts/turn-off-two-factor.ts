import { recordActivity } from '../activity/record.ts';
import { notFound } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { voidOpenSteps } from './open-steps.ts';

/**
 * Takes the second factor off an account whose owner has lost the authenticator and the recovery codes: for the
 * operator's command line, who knows them. Ends all sessions of the account. False when it had none; 404 for an address
 * without an account.
 */
export async function turnOffTwoFactor(work: Work, email: string): Promise<boolean> {
  const { tx, now } = work;
  const address = email.trim().toLowerCase();
  const user = await tx
    .selectFrom('users')
    .select(['id', 'name', 'two_factor_enabled'])
    .where('email', '=', address)
    .forUpdate()
    .executeTakeFirst();
  if (!user) notFound('account');
  // A set-up that was never completed is removed too, but does not count as on.
  await tx.deleteFrom('two_factors').where('user_id', '=', user.id).execute();
  if (!user.two_factor_enabled) return false;
  await tx
    .updateTable('users')
    .set({ two_factor_enabled: false, updated_at: now })
    .where('id', '=', user.id)
    .execute();
  await tx.deleteFrom('sessions').where('user_id', '=', user.id).execute();
  await voidOpenSteps(tx, user.id);
  await recordActivity(work, {
    orgId: null,
    action: 'account.two_factor_disable',
    resource: { kind: 'account', id: user.id, name: user.name || address },
    before: { two_factor_enabled: true },
    after: { two_factor_enabled: false },
  });
  return true;
}
