import { Refusal } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { removeMember } from './remove-member.ts';

/** Removes a person from every organization before their account is deleted; `last_owner` names one they cannot leave. */
export async function leaveAll(work: Work, userId: string): Promise<void> {
  const places = await work.tx
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.org_id')
    .select(['members.org_id', 'organizations.name'])
    .where('members.user_id', '=', userId)
    // A fixed order, so that two people who leave the same organizations at once cannot deadlock.
    .orderBy('members.org_id')
    .execute();
  for (const { org_id, name } of places) {
    try {
      await removeMember(work, org_id, userId, userId);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'last_owner') throw error;
      const message = `You are the only owner of ${name}. Make somebody else its owner, or delete it, first.`;
      throw new Refusal('last_owner', message, error.details);
    }
  }
}
