import { FORGOTTEN, forgetPerson, personInLogs } from '../activity/forget-person.ts';
import { recordActivity } from '../activity/record.ts';
import { hook } from '../platform/hook.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database, Work } from '../platform/work.ts';
import { voidOpenSteps } from './open-steps.ts';
import { passwordMatches } from './password-hashing.ts';
import type { SlowDown } from './slow-down.ts';

type Person = { id: string; email: string };

/** Announces that a person is about to be deleted. Reactions remove what they keep for them, or refuse. */
export const beforePersonIsDeleted = hook<{ userId: string }>();

/**
 * Checks the password of a person who has one, and slows guesses like a sign-in. Refuses with `forbidden`. Returns false if
 * there is no password. Computes a hash, so do not call it inside a unit of work.
 */
export async function confirmPassword(
  db: Database,
  slowDown: SlowDown,
  person: Person,
  given: { password: string | null; address: string },
): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .select('password')
    .where('user_id', '=', person.id)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  const hash = account?.password;
  if (!hash) return false;
  const wrong = () =>
    refuse('forbidden', 'password is not your password.', { field: 'password', reason: 'invalid_password' });
  if (given.password === null) wrong();
  const attempt = await slowDown.enter('password', person.email, given.address);
  if (!(await passwordMatches({ hash, password: given.password ?? '' }))) wrong();
  await attempt.right();
  return true;
}

/**
 * Deletes a person for good, with sessions, passkeys, second factor and memberships. Their actions stay, without their
 * name. Refuses with `last_owner` if an organization would lose its only owner or the installation its only operator.
 */
export async function deleteMe(work: Work, userId: string): Promise<void> {
  const { tx } = work;
  await beforePersonIsDeleted.run(work, { userId });
  const operators = await tx
    .selectFrom('users')
    .select('id')
    .where('operator', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (operators.length === 1 && operators[0]?.id === userId)
    refuse('last_owner', 'You are the only operator of this installation; it needs one.');
  await voidOpenSteps(tx, userId);
  const known = await personInLogs(tx, userId);
  await tx.deleteFrom('users').where('id', '=', userId).execute();
  await forgetPerson(work, known);
  const nameless = { ...work, actor: { ...work.actor, name: FORGOTTEN, address: null } };
  await recordActivity(nameless, {
    orgId: null,
    action: 'account.delete',
    resource: { kind: 'account', id: userId, name: FORGOTTEN },
  });
}
