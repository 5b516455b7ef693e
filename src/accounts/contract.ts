// Browser-safe. Set-up of a new installation and what the sign-in page must know (decisions, section 2, first start).
// Sign-in itself is the library's own: POST /auth/sign-in/email, /auth/sign-up/email, /auth/sign-out, GET /auth/get-session.
import { type Static, Type } from 'typebox';
import { operation } from '../platform/contract.ts';

const closed = { additionalProperties: false } as const;

export const Installation = Type.Object({
  setup_needed: Type.Boolean({ description: 'there is no user yet: the set-up link creates the first one' }),
  signup: Type.Enum(['closed', 'invite', 'open']),
});
export type Installation = Static<typeof Installation>;

export const getInstallation = operation({
  id: 'getInstallation',
  method: 'GET',
  path: '/auth/installation',
  summary: 'What a signed-out visitor can do on this installation',
  tag: 'Accounts',
  right: 'public',
  subject: 'none',
  status: 200,
  reply: Installation,
});

export const completeSetup = operation({
  id: 'completeSetup',
  method: 'POST',
  path: '/auth/setup',
  summary:
    'Creates the first user (the operator), an organization and a project with the one-time set-up token, and signs in',
  tag: 'Accounts',
  right: 'public',
  subject: 'none',
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
