// Browser-safe. Members and invitations (docs/rules/access.md#members, docs/rules/access.md#invitations).
import { type Static, Type } from 'typebox';
import { ROLES } from '../domain/names.ts';
import { Organization, OrganizationParams } from '../organizations/contract.ts';
import { closed, Nullable, operation, PageQuery, UnixSeconds } from '../platform/contract.ts';

export const MemberParams = Type.Object({ org_id: Type.String(), user_id: Type.String() });
export const InvitationParams = Type.Object({ org_id: Type.String(), invitation_id: Type.String() });

const Role = Type.Enum([...ROLES]);

export const Member = Type.Object({
  user_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: Type.String(),
  joined_at_unix: UnixSeconds(),
  two_factor_enabled: Type.Boolean(),
});
export type Member = Static<typeof Member>;

export const Invitation = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: Type.String(),
  expires_at_unix: UnixSeconds(),
});
export type Invitation = Static<typeof Invitation>;

const ofMembers = { tag: 'Members', resource: 'organization' } as const;

export const listMembers = operation({
  ...ofMembers,
  id: 'listMembers',
  method: 'GET',
  path: '/organizations/{org_id}/members',
  summary: 'Members of an organization, in the order they joined',
  right: 'member',
  params: OrganizationParams,
  query: PageQuery('a user id'),
  status: 200,
  reply: Type.Array(Member),
});

export const updateMember = operation({
  ...ofMembers,
  id: 'updateMember',
  fresh: 'sometimes',
  method: 'PATCH',
  path: '/organizations/{org_id}/members/{user_id}',
  summary:
    'Change the role of a member; nobody assigns or takes a role above their own. Owners: with a fresh sign-in',
  right: 'member_management',
  params: MemberParams,
  body: Type.Object(
    {
      role: Role,
      // Read-only: accepted with the value they have, so that what was read can be sent back.
      user_id: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
      email: Type.Optional(Type.String()),
      joined_at_unix: Type.Optional(Type.Integer()),
      two_factor_enabled: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  status: 200,
  reply: Member,
  refusals: [409],
});

export const removeMember = operation({
  ...ofMembers,
  id: 'removeMember',
  fresh: 'sometimes',
  method: 'DELETE',
  path: '/organizations/{org_id}/members/{user_id}',
  summary: 'Remove a member, or leave. Their API keys stay by default. Owners: with a fresh sign-in',
  right: 'member_management',
  orSelf: 'user_id',
  params: MemberParams,
  query: Type.Object(
    {
      revoke_keys: Type.Optional(
        Type.Boolean({
          description:
            'also revoke the API keys and links to the wall display that they made in this organization; for owners and admins',
        }),
      ),
    },
    closed,
  ),
  status: 204,
  refusals: [409],
});

export const listInvitations = operation({
  ...ofMembers,
  id: 'listInvitations',
  method: 'GET',
  path: '/organizations/{org_id}/invitations',
  summary: 'Open invitations of an organization',
  right: 'member_management',
  params: OrganizationParams,
  query: PageQuery('an invitation id'),
  status: 200,
  reply: Type.Array(Invitation),
});

export const createInvitation = operation({
  ...ofMembers,
  id: 'createInvitation',
  fresh: 'sometimes',
  method: 'POST',
  path: '/organizations/{org_id}/invitations',
  summary:
    'Invite somebody by mail; if no mail can be sent, the answer has the token. As owner: with a fresh sign-in',
  right: 'member_management',
  params: OrganizationParams,
  body: Type.Object({ email: Type.String({ maxLength: 254 }), role: Role }, closed),
  status: 201,
  reply: Type.Object({ invitation: Invitation, invite_token: Nullable(Type.String()) }),
  refusals: [402, 409, 429],
});

export const revokeInvitation = operation({
  ...ofMembers,
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/organizations/{org_id}/invitations/{invitation_id}',
  summary: 'Revoke an open invitation; its link is void at once',
  right: 'member_management',
  params: InvitationParams,
  status: 204,
});

const Token = Type.String({ minLength: 1, maxLength: 200 });
const PUBLIC_MEMBERS = { tag: 'Members', right: 'public', resource: 'none', throttled: true } as const;

export const lookUpInvitation = operation({
  ...PUBLIC_MEMBERS,
  id: 'lookUpInvitation',
  method: 'POST',
  path: '/auth/invitations/look-up',
  summary: 'What an invitation is for, before it is accepted',
  body: Type.Object({ token: Token }, closed),
  status: 200,
  reply: Type.Object({
    organization_name: Type.String(),
    invited_by: Nullable(Type.String()),
    email: Type.String(),
    role: Type.String(),
    expires_at_unix: UnixSeconds(),
    has_account: Type.Boolean({
      description:
        'the address has an account: sign in and accept. One that nobody proved is none to who has the mailed link',
    }),
  }),
  refusals: [404],
});

export const acceptInvitation = operation({
  ...PUBLIC_MEMBERS,
  id: 'acceptInvitation',
  method: 'POST',
  path: '/auth/invitations/accept',
  summary:
    'Accept an invitation, signed in as the invited address or with a new account (which is then signed in)',
  body: Type.Object(
    {
      token: Token,
      name: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
      password: Type.Optional(Nullable(Type.String({ minLength: 8, maxLength: 128 }))),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({ organization: Organization, role: Type.String() }),
  refusals: [401, 403, 404, 409],
});
