// Renews the proof of a signed-in person. It runs a full sign-in by the library and throws its session away: only what could
// sign the person in makes their existing session fresh.
import type { FastifyRequest } from 'fastify';
import { recordActivity } from '../activity/record.ts';
import type { BodyOf } from '../platform/contract.ts';
import { Refusal, refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { refusalOf, requestOf } from './auth-routes.ts';
import type { reauthenticate as operation } from './contract.ts';
import type { SignIn } from './sign-in.ts';

type Reauthentication = { signIn: SignIn; request: FastifyRequest };
type Person = { userId: string; email: string };
type SignedIn = { token?: string; session?: { token?: string }; twoFactorRedirect?: boolean };

/**
 * Requires a passkey, or the password and, with two-factor sign-in, the code. Refuses a wrong or missing proof with
 * `forbidden` and its field, and guesses with `rate_limited`, as a sign-in does. Computes a hash, so do not call it inside
 * a unit of work.
 */
export async function reauthenticate(
  asked: Reauthentication,
  person: Person,
  { password, code, passkey }: BodyOf<typeof operation>,
): Promise<void> {
  const given = passkey
    ? await attempt(asked, 'passkey', '/auth/passkey/verify-authentication', { response: passkey })
    : await attempt(asked, 'password', '/auth/sign-in/email', {
        email: person.email,
        password: password ?? wrong('password', 'password_needed'),
      });
  let { reply } = given;
  if (reply.twoFactorRedirect) {
    if (code === undefined) wrong('code', 'code_needed');
    const path = /^\d{6}$/.test(code) ? 'verify-totp' : 'verify-backup-code';
    ({ reply } = await attempt(asked, 'code', `/auth/two-factor/${path}`, { code }, given.cookies));
  }
  const context = await asked.signIn.$context;
  const token = reply.session?.token ?? reply.token ?? '';
  const made = await context.internalAdapter.findSession(token);
  await context.internalAdapter.deleteSession(token);
  if (made?.user.id !== person.userId) wrong('passkey', 'invalid_passkey');
}

/** One step of the sign-in, without the existing session. */
async function attempt(
  { signIn, request }: Reauthentication,
  field: 'password' | 'code' | 'passkey',
  path: string,
  body: object,
  cookies: readonly string[] = [],
): Promise<{ reply: SignedIn; cookies: string[] }> {
  const sent = requestOf(signIn, request, path, body);
  const { name } = (await signIn.$context).authCookies.sessionToken;
  const kept = (request.headers.cookie ?? '').split(/; */).filter((each) => !each.startsWith(`${name}=`));
  sent.headers.set('cookie', [...kept, ...cookies].join('; '));
  try {
    const response = await signIn.handler(sent);
    if (!response.ok) throw await refusalOf(response);
    return {
      reply: (await response.json()) as SignedIn,
      cookies: response.headers.getSetCookie().map((each) => each.split(';', 1)[0] ?? ''),
    };
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 429) throw error;
    return wrong(field, error.details.reason ?? `invalid_${field}`);
  }
}

const SENTENCE = {
  password: 'password is not your password.',
  code: 'code is neither a current code nor an unused recovery code.',
  passkey: 'passkey is not one of yours.',
};

/** Not 401: the session is valid, the proof is not. */
function wrong(field: keyof typeof SENTENCE, reason: string): never {
  refuse('forbidden', SENTENCE[field], {
    field,
    reason: reason === 'invalid_email_or_password' ? 'invalid_password' : reason,
  });
}

/** From now on the session is as fresh as a new one. */
export async function noteAuthentication(
  work: Work,
  { sessionId, userId }: { sessionId: string; userId: string },
): Promise<void> {
  const { tx, now, actor } = work;
  await tx.updateTable('sessions').set({ authenticated_at: now }).where('id', '=', sessionId).execute();
  await recordActivity(work, {
    orgId: null,
    action: 'account.authenticate',
    resource: { kind: 'account', id: userId, name: actor.name },
  });
}
