import { ROLES } from '../domain/names.ts';
import { personOf } from '../platform/http/actor.ts';
import { paged } from '../platform/http/page.ts';
import { type Call, type Route, raw, read, write } from '../platform/http/route.ts';
import * as contract from './contract.ts';
import { type Invited, invite, refuseWithoutSeat } from './invite.ts';
import { listInvitations } from './list-invitations.ts';
import { findMember, listMembers } from './list-members.ts';
import { type InvitationMailOptions, mailInvitation, takeMail } from './mail-invitation.ts';
import { removeMember } from './remove-member.ts';
import { openInvitationOf, revokeInvitation } from './revoke-invitation.ts';
import { refuseChangingAbove, refuseGrantingAbove } from './roles.ts';
import { updateMember } from './update-member.ts';

/** Members and invitations of an organization. */
export function memberRoutes(options: InvitationMailOptions): Route[] {
  return [
    read(contract.listMembers, (call) =>
      paged(
        call,
        (page) => listMembers(call.db, call.resource.orgId, page),
        ({ user_id }) => user_id,
      ),
    ),
    {
      ...write(contract.updateMember, async ({ resource, params, body, caller, demandFresh }, work) => {
        const { role } = await findMember(work.tx, resource.orgId, params.user_id);
        if (role !== body.role && [role, body.role].includes('owner')) demandFresh();
        return updateMember(work, resource.orgId, personOf(caller), params.user_id, body);
      }),
      async beforeBody({ db, resource, params, role, body }) {
        const member = await findMember(db, resource.orgId, params.user_id ?? '');
        if (role) refuseChangingAbove(role, member.role);
        const given = roleIn(body);
        if (role && given) refuseGrantingAbove(role, given);
      },
    },
    {
      ...write(contract.removeMember, async ({ resource, params, query, caller, demandFresh }, work) => {
        const { role } = await findMember(work.tx, resource.orgId, params.user_id);
        if (role === 'owner') demandFresh();
        await removeMember(work, resource.orgId, personOf(caller), params.user_id, {
          revokeKeys: query.revoke_keys,
        });
        return undefined;
      }),
      async beforeBody({ db, resource, params, role }) {
        const member = await findMember(db, resource.orgId, params.user_id ?? '');
        if (role) refuseChangingAbove(role, member.role);
      },
    },
    read(contract.listInvitations, (call) =>
      paged(
        call,
        (page) => listInvitations(call.db, call.resource.orgId, call.now, page),
        ({ id }) => id,
      ),
    ),
    {
      ...raw(contract.createInvitation, (call) => createInvitation(call, options)),
      async beforeBody({ db, resource, now, role, body }) {
        const given = roleIn(body);
        if (role && given) refuseGrantingAbove(role, given);
        await refuseWithoutSeat(db, resource.orgId, now);
      },
    },
    {
      ...write(contract.revokeInvitation, async ({ resource, params }, work) => {
        await revokeInvitation(work, resource.orgId, params.invitation_id);
        return undefined;
      }),
      beforeBody: ({ db, resource, params, now }) =>
        openInvitationOf(db, resource.orgId, params.invitation_id ?? '', now),
    },
  ];
}

/**
 * The token is in the answer only where no mail could carry it: no mail server is set up, or it did not take this one.
 * Accepting with a token that was shown proves no address (`mailed` stays false), so provoking that gains nothing.
 */
async function createInvitation(
  { work, db, resource, caller, body, demandFresh }: Call<typeof contract.createInvitation>,
  options: InvitationMailOptions,
) {
  const userId = personOf(caller);
  if (body.role === 'owner') demandFresh();
  const { orgId } = resource;
  let at = new Date(0);
  const invited: Invited = await work(async (work) => {
    at = work.now;
    const made = await invite(work, orgId, userId, body);
    if (options.mail) await takeMail(work, orgId, userId, made.invitation.email);
    return made;
  });
  const isMailed = await mailInvitation(db, options, invited, { orgId, userId, at });
  return { invitation: invited.invitation, invite_token: isMailed ? null : invited.token };
}

/** The role that a body asks for, where it is one: the body has not been validated yet. */
function roleIn(body: unknown) {
  const given = typeof body === 'object' && body !== null && 'role' in body ? body.role : undefined;
  return ROLES.find((role) => role === given);
}
