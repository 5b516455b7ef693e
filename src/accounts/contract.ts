// Browser-safe. Set-up of a new installation and what the sign-in page must know (docs/rules/access.md#first-start).
// Sign-in itself is the library's own: what of it is reachable is listed in reachable.ts.
import { type Static, Type } from 'typebox';
import { PAGE_LANGUAGES } from '../domain/names.ts';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

export const Installation = Type.Object({
  setup_needed: Type.Boolean({ description: 'there is no user yet: the set-up link creates the first one' }),
  signup: Type.Enum(['closed', 'invite', 'open']),
  mail: Type.Boolean({ description: 'mail can be sent: a forgotten password can be reset' }),
  oidc: Nullable(Type.Object({ name: Type.String() })),
});
export type Installation = Static<typeof Installation>;

export const getInstallation = operation({
  id: 'getInstallation',
  method: 'GET',
  path: '/auth/installation',
  summary: 'What a signed-out visitor can do on this installation',
  tag: 'Accounts',
  right: 'public',
  resource: 'none',
  status: 200,
  reply: Installation,
});

export const completeSetup = operation({
  id: 'completeSetup',
  throttled: true,
  method: 'POST',
  path: '/auth/setup',
  summary:
    'Creates the first user (the operator), an organization and a project with the one-time set-up token, and signs in',
  tag: 'Accounts',
  right: 'public',
  resource: 'none',
  body: Type.Object(
    {
      token: Type.String({ maxLength: 200 }),
      email: Type.String({ maxLength: 254 }),
      password: Type.String({ minLength: 8, maxLength: 128 }),
      name: Type.String({ minLength: 1, maxLength: 200 }),
      organization: Type.String({ minLength: 1, maxLength: 200 }),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({ organization_id: Type.String(), project_id: Type.String() }),
  refusals: [403],
});

export const confirmSignUp = operation({
  id: 'confirmSignUp',
  throttled: true,
  method: 'POST',
  path: '/auth/sign-up/confirm',
  summary:
    'additive: creates the account that a mailed sign-up link is for, with the password of that sign-up, and signs in',
  tag: 'Accounts',
  right: 'public',
  resource: 'none',
  body: Type.Object(
    { token: Type.String({ maxLength: 200 }), password: Type.String({ maxLength: 128 }) },
    closed,
  ),
  status: 200,
  reply: Type.Object({ user_id: Type.String() }),
  refusals: [401, 403, 429],
});

const Count = Type.Integer({ minimum: 0 });

/** How many of each the first proof of an address took out of its account. */
export const RemovedAtFirstProof = Type.Object({
  passwords: Count,
  passkeys: Count,
  authenticators: Count,
  identities: Count,
  sessions: Count,
  push_subscriptions: Count,
  calendars: Count,
  wall_links: Count,
  api_keys: Count,
  invitations: Count,
});
export type RemovedAtFirstProof = Static<typeof RemovedAtFirstProof>;

const Language = Nullable(
  Type.Enum([...PAGE_LANGUAGES], {
    description:
      'additive: of mails and pushes to this person; null: that of the organization they are about. Set from the browser at the sign-up',
  }),
);

/** The signed-in person. */
export const Me = Type.Object({
  user_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  language: Language,
  operator: Type.Boolean({ description: 'operator of the installation' }),
  has_password: Type.Boolean(),
  two_factor_enabled: Type.Boolean(),
  passkeys: Type.Integer(),
  first_proof: Nullable(
    Type.Object(
      { at_unix: UnixSeconds(), removed: RemovedAtFirstProof },
      {
        description:
          'additive: what was removed when this address was proven for the first time, until DELETE /me/first-proof says that it was read',
      },
    ),
  ),
});
export type Me = Static<typeof Me>;

const ofMe = { tag: 'Accounts', path: '/me', right: 'signed_in', resource: 'none' } as const;

export const getMe = operation({
  ...ofMe,
  id: 'getMe',
  method: 'GET',
  summary: 'The signed-in person',
  status: 200,
  reply: Me,
});

export const updateMe = operation({
  ...ofMe,
  id: 'updateMe',
  method: 'PATCH',
  summary: 'Change the name or the language of the signed-in person',
  body: Type.Object(
    {
      name: Type.Optional(Type.String({ maxLength: 200 })),
      language: Type.Optional(Language),
      // Read-only: accepted with the value they have, so that what was read can be sent back.
      user_id: Type.Optional(Type.String()),
      email: Type.Optional(Type.String()),
      operator: Type.Optional(Type.Boolean()),
      has_password: Type.Optional(Type.Boolean()),
      two_factor_enabled: Type.Optional(Type.Boolean()),
      passkeys: Type.Optional(Type.Integer()),
      first_proof: Type.Optional(Type.Unknown()),
    },
    closed,
  ),
  status: 200,
  reply: Me,
});

export const readFirstProof = operation({
  id: 'readFirstProof',
  method: 'DELETE',
  path: '/me/first-proof',
  summary: 'Say that you have read what the first proof of your address removed; it is not shown again',
  tag: 'Accounts',
  right: 'signed_in',
  resource: 'none',
  status: 204,
});

const Code = Type.String({ minLength: 1, maxLength: 40 });

export const reauthenticate = operation({
  id: 'reauthenticate',
  throttled: true,
  method: 'POST',
  path: '/me/authentication',
  summary: 'Prove once more that it is you, for what wants a fresh sign-in; the session goes on',
  tag: 'Accounts',
  right: 'signed_in',
  resource: 'none',
  body: Type.Object(
    {
      password: Type.Optional(Type.String({ maxLength: 128 })),
      code: Type.Optional({
        ...Code,
        description: 'of the authenticator app, or a recovery code, where that is on',
      }),
      passkey: Type.Optional(
        Type.Object(
          { id: Type.String({ maxLength: 2000 }) },
          {
            additionalProperties: true,
            description: 'instead: what the browser made of GET /auth/passkey/generate-authenticate-options',
          },
        ),
      ),
    },
    closed,
  ),
  status: 204,
  refusals: [403, 429],
});

export const deleteMe = operation({
  ...ofMe,
  id: 'deleteMe',
  fresh: 'sometimes',
  method: 'DELETE',
  summary:
    'Delete the account of the signed-in person; refused for the last owner of an organization. Where there is no password: with a fresh sign-in',
  body: Type.Object(
    { password: Type.Optional(Nullable(Type.String({ maxLength: 128, description: 'where there is one' }))) },
    closed,
  ),
  status: 204,
  refusals: [403, 409, 429],
});
