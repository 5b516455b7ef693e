// The reachable routes of the sign-in library, each with its body. All others (redirects to any address, changes of e-mail)
// stay unreachable, as does every other spelling of these paths.
import { type TSchema, Type } from 'typebox';
import { closed } from '../platform/contract.ts';

export type Reachable = {
  method: 'GET' | 'POST';
  /** Below /auth. */
  path: string;
  /** A closed object; null: no body, or an empty one. */
  body: TSchema | null;
  /** Only where the installation has it. */
  needs?: 'mail' | 'oidc';
  /** The query goes to the library too. */
  query?: true;
};

const Email = Type.String({ maxLength: 254 });
/** A password has at most 128 characters; hashing more gains nothing. */
const Password = Type.String({ maxLength: 128 });
const Code = Type.String({ maxLength: 40 });
const Id = Type.String({ maxLength: 100 });
const Name = Type.String({ maxLength: 200 });
/** A page of our own dashboard; otherwise a sign-in could redirect people anywhere. */
const OwnPage = Type.String({ maxLength: 2000, pattern: '^/app([/?][!-~]*)?$' });
/** The result of the browser's ceremony; the library verifies it. */
const Ceremony = Type.Object({ id: Type.String({ maxLength: 2000 }) }, { additionalProperties: true });

export const REACHABLE: readonly Reachable[] = [
  {
    method: 'POST',
    path: '/sign-in/email',
    body: Type.Object(
      { email: Email, password: Password, rememberMe: Type.Optional(Type.Boolean()) },
      closed,
    ),
  },
  { method: 'POST', path: '/sign-out', body: null },
  { method: 'GET', path: '/get-session', body: null },
  {
    method: 'POST',
    path: '/change-password',
    body: Type.Object(
      {
        currentPassword: Password,
        newPassword: Password,
        revokeOtherSessions: Type.Optional(Type.Boolean({ description: 'they are ended in any case' })),
      },
      closed,
    ),
  },
  { method: 'GET', path: '/list-sessions', body: null },
  { method: 'POST', path: '/revoke-session', body: Type.Object({ token: Id }, closed) },
  { method: 'POST', path: '/revoke-sessions', body: null },
  { method: 'POST', path: '/revoke-other-sessions', body: null },

  { method: 'POST', path: '/two-factor/enable', body: Type.Object({ password: Password }, closed) },
  { method: 'POST', path: '/two-factor/disable', body: Type.Object({ password: Password }, closed) },
  { method: 'POST', path: '/two-factor/get-totp-uri', body: Type.Object({ password: Password }, closed) },
  // No trusted devices: the second factor is asked for at every sign-in.
  { method: 'POST', path: '/two-factor/verify-totp', body: Type.Object({ code: Code }, closed) },
  { method: 'POST', path: '/two-factor/verify-backup-code', body: Type.Object({ code: Code }, closed) },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    body: Type.Object({ password: Password }, closed),
  },

  { method: 'GET', path: '/passkey/generate-register-options', body: null },
  {
    method: 'POST',
    path: '/passkey/verify-registration',
    body: Type.Object({ response: Ceremony, name: Type.Optional(Name) }, closed),
  },
  { method: 'GET', path: '/passkey/generate-authenticate-options', body: null },
  {
    method: 'POST',
    path: '/passkey/verify-authentication',
    body: Type.Object({ response: Ceremony }, closed),
  },
  { method: 'GET', path: '/passkey/list-user-passkeys', body: null },
  { method: 'POST', path: '/passkey/update-passkey', body: Type.Object({ id: Id, name: Name }, closed) },
  { method: 'POST', path: '/passkey/delete-passkey', body: Type.Object({ id: Id }, closed) },

  {
    method: 'POST',
    path: '/request-password-reset',
    body: Type.Object({ email: Email }, closed),
    needs: 'mail',
  },
  // Reachable without mail too: the operator can make a link for somebody.
  {
    method: 'POST',
    path: '/reset-password',
    body: Type.Object({ newPassword: Password, token: Id }, closed),
  },

  {
    method: 'POST',
    path: '/sign-in/oauth2',
    body: Type.Object(
      {
        providerId: Type.Optional(Type.Literal('oidc')),
        callbackURL: Type.Optional(OwnPage),
        errorCallbackURL: Type.Optional(OwnPage),
      },
      closed,
    ),
    needs: 'oidc',
  },
  { method: 'GET', path: '/oauth2/callback/oidc', body: null, needs: 'oidc', query: true },
];
