import { FORGOTTEN, forgetPerson } from '../activity/forget-person.ts';
import { recordActivity } from '../activity/record.ts';
import { announcement } from '../platform/announcement.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database, Work } from '../platform/work.ts';
import { voidOpenSteps } from './open-steps.ts';
import { passwordMatches } from './password-hashing.ts';
import type { SlowDown } from './slow-down.ts';

type Person = { id: string; email: string };

/** A person is about to go: whoever keeps a place for them takes it away now, or refuses. */
export const personLeaves = announcement<{ userId: string }>();

/**
 * Demands the password of a person who has one; wrong ones are slowed like those of sign-ins. Refuses with `forbidden`.
 * false: there is none to demand. Computes a hash: not inside a unit of work.
 */
export async function provePassword(
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
 * Deletes a person for good: sessions, passkeys, second factor and memberships go with them, what they did stays without
 * their name. Refused with `last_owner` while an organization would be left without an owner, or the installation
 * without an operator.
 */
export async function deleteMe(work: Work, person: { userId: string; email: string }): Promise<void> {
  const { tx } = work;
  const { userId } = person;
  await personLeaves.announce(work, { userId });
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
  await tx.deleteFrom('users').where('id', '=', userId).execute();
  await forgetPerson(work, person);
  const nameless = { ...work, actor: { ...work.actor, name: FORGOTTEN, address: null } };
  await recordActivity(nameless, {
    orgId: null,
    action: 'account.delete',
    resource: { kind: 'account', id: userId, name: FORGOTTEN },
  });
}
