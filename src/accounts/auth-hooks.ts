// Our rules around the sign-in library's routes: guessing is slowed, a browser keeps one session, and changes of an account
// are recorded.
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api';
import { recordActivity } from '../activity/record.ts';
import { recognize } from '../platform/http/current-request.ts';
import type { Log } from '../platform/log.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { type Database, runWork } from '../platform/work.ts';
import { refuseUsedCode } from './one-time-codes.ts';
import { voidOpenSteps } from './open-steps.ts';
import { authenticatedAt, refuseStale } from './session-limits.ts';
import type { SignInAttempt, SlowDown } from './slow-down.ts';
import { refuseVoidedSignIn } from './voided-sign-in.ts';

/** The header in which our server hands the caller's address on; whatever the client sent there is overwritten. */
export const ADDRESS_HEADER = 'x-tocsin-address';

export type AuthHooksOptions = { db: Database; clock: () => Date; log: Log; slowDown: SlowDown };

type Person = { id: string; email: string; name: string };
/** Facts about a request before the library handles it. */
type Arrival = { attempt: SignInAttempt | null; person: Person | null; sessionId: string | null };
const NOBODY = { person: null, sessionId: null };
type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

const CODE_PATHS = ['/two-factor/verify-totp', '/two-factor/verify-backup-code'];
/** Routes where a signed-in person enters the password again. */
const PASSWORD_PATHS = [
  '/change-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
];
const SIGN_IN_PATHS = [
  '/sign-in/email',
  '/sign-up/email',
  '/passkey/verify-authentication',
  '/oauth2/callback/oidc',
  ...CODE_PATHS,
];
/** Routes that add or remove a way into the account. */
const WAYS_IN = [
  '/passkey/generate-register-options',
  '/passkey/verify-registration',
  '/passkey/delete-passkey',
];
const WRONG_GUESS = ['INVALID_EMAIL_OR_PASSWORD', 'INVALID_PASSWORD', 'INVALID_CODE', 'INVALID_BACKUP_CODE'];

/** The activity that a successful route records. For sign-ins and the set-up of a second factor see `actionOf`. */
const ACTIONS: Record<string, string> = {
  '/change-password': 'account.password_change',
  '/two-factor/disable': 'account.two_factor_disable',
  '/two-factor/generate-backup-codes': 'account.recovery_codes_renew',
  '/passkey/verify-registration': 'account.passkey_add',
  '/passkey/update-passkey': 'account.passkey_rename',
  '/passkey/delete-passkey': 'account.passkey_remove',
  '/revoke-session': 'account.sessions_revoke',
  '/revoke-sessions': 'account.sessions_revoke',
  '/revoke-other-sessions': 'account.sessions_revoke',
};
const WATCHED = new Set([...SIGN_IN_PATHS, ...PASSWORD_PATHS, ...WAYS_IN, ...Object.keys(ACTIONS)]);

/** Must be the last plugin, so that the library's own plugins have finished a sign-in when these hooks see it. */
export function authHooks({ db, clock, log, slowDown }: AuthHooksOptions): BetterAuthPlugin {
  const arrivals = new WeakMap<Request, Arrival>();

  async function arrive(ctx: Context, request: Request): Promise<Arrival> {
    const address = addressOf(request);
    if (ctx.path === '/sign-in/email') {
      const email = String(ctx.body?.email);
      const attempt = await slowDown.enter('password', email, address);
      if (attempt.known) recognize(email);
      return { attempt, ...NOBODY };
    }
    if (SIGN_IN_PATHS.includes(ctx.path) && !CODE_PATHS.includes(ctx.path))
      return { attempt: null, ...NOBODY };
    const session = await getSessionFromCtx(ctx);
    if (session) {
      recognize(session.user.email);
      // With one factor, the password in the request is proof enough. With two, it is only one of them.
      if (WAYS_IN.includes(ctx.path) || (session.user.twoFactorEnabled && PASSWORD_PATHS.includes(ctx.path)))
        refuseStale(authenticatedAt(session.session), clock());
      if (ctx.path === '/two-factor/enable' && session.user.twoFactorEnabled) refuseSecondEnrolment();
      if (ctx.path === '/revoke-session') await refuseForeignSession(ctx, session.user.id);
      const again = PASSWORD_PATHS.includes(ctx.path);
      const attempt = again ? await slowDown.enter('password', session.user.email, address) : null;
      return { attempt, person: session.user, sessionId: session.session.id };
    }
    const person = CODE_PATHS.includes(ctx.path) ? await secondStepOf(ctx) : null;
    if (!person) return { attempt: null, ...NOBODY };
    const attempt = await slowDown.enter('code', person.email, address);
    const reason = ctx.path === '/two-factor/verify-totp' ? 'invalid_code' : 'invalid_backup_code';
    await refuseUsedCode(db, clock(), { userId: person.id, code: String(ctx.body?.code), reason });
    return { attempt, ...NOBODY };
  }

  async function recordOutcome(attempt: SignInAttempt, returned: unknown): Promise<void> {
    if (!isAPIError(returned) || redirects(returned)) return attempt.right();
    if (!WRONG_GUESS.includes(String(returned.body?.code))) await attempt.void();
  }

  async function record(request: Request, person: Person, action: string): Promise<void> {
    const actor = {
      kind: 'user',
      id: person.id,
      name: person.name || person.email,
      address: addressOf(request),
    } as const;
    const resource = { kind: 'account', id: person.id, name: actor.name };
    await runWork(db, clock(), actor, (work) => recordActivity(work, { orgId: null, action, resource }));
  }

  return {
    id: 'auth-hooks',
    hooks: {
      before: [
        {
          matcher: ({ path }) => WATCHED.has(path ?? ''),
          handler: createAuthMiddleware(async (ctx) => {
            if (ctx.request) arrivals.set(ctx.request, await arrive(ctx, ctx.request));
            // A new password ends all other sessions, whatever the caller asks for (docs/rules/access.md#sessions).
            if (ctx.path === '/change-password')
              return { context: { ...ctx, body: { ...(ctx.body as object), revokeOtherSessions: true } } };
          }),
        },
      ],
      after: [
        {
          matcher: ({ path }) => WATCHED.has(path ?? ''),
          handler: createAuthMiddleware(async (ctx) => {
            const { request } = ctx;
            const arrival = request && arrivals.get(request);
            if (!request || !arrival) return;
            const { returned, newSession } = ctx.context;
            if (arrival.attempt) await recordOutcome(arrival.attempt, returned);
            if (isAPIError(returned) && !redirects(returned)) return;
            await refuseVoidedSignIn(db, ctx, arrival.sessionId);
            const signsIn = SIGN_IN_PATHS.includes(ctx.path) && arrival.person === null;
            if (signsIn) await endFormerSession(ctx, newSession?.session.token);
            if (signsIn && newSession) await slowDown.knows(newSession.user.email, addressOf(request));
            const person = arrival.person ?? newSession?.user;
            if (person && ctx.path === '/change-password') await voidOpenSteps(db, person.id);
            const action = actionOf(ctx.path, signsIn, newSession !== null && newSession !== undefined);
            // The action is done. A failure to record it must not look like a failure of the action.
            if (person && action)
              await record(request, person, action).catch((error: unknown) =>
                log.error({ err: error, action }, 'an action could not be recorded'),
              );
          }),
        },
      ],
    },
  };
}

const addressOf = (request: Request) => request.headers.get(ADDRESS_HEADER) ?? '';
const redirects = (error: { statusCode: number }) => error.statusCode >= 300 && error.statusCode < 400;

function actionOf(path: string, signsIn: boolean, newSession: boolean): string | null {
  if (signsIn) {
    if (path === '/sign-up/email') return 'account.create';
    return newSession ? 'account.sign_in' : null;
  }
  // The first right code of a signed-in person turns the second factor on, and gives them a new session.
  if (path === '/two-factor/verify-totp') return newSession ? 'account.two_factor_enable' : null;
  return ACTIONS[path] ?? null;
}

/** The person who has given the password but not yet the code; null if nobody has. */
async function secondStepOf(ctx: Context): Promise<Person | null> {
  const cookie = ctx.context.createAuthCookie('two_factor');
  const identifier = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
  if (!identifier) return null;
  const pending = await ctx.context.internalAdapter.findVerificationValue(identifier);
  if (!pending) return null;
  return (await ctx.context.internalAdapter.findUserById(pending.value)) ?? null;
}

/** The library would replace the authenticator at once, before a code has shown that the new one works. */
function refuseSecondEnrolment(): never {
  refuse(
    'invalid_request',
    'Two-factor sign-in is on already. Turn it off, then set up another authenticator app.',
    { reason: 'two_factor_already_enabled' },
  );
}

/** For somebody else's session the library reports success and ends nothing. */
async function refuseForeignSession(ctx: Context, userId: string): Promise<void> {
  const named = await ctx.context.internalAdapter.findSession(String(ctx.body?.token));
  if (named?.user.id !== userId) notFound('session of yours');
}

/** A browser has one session: a new sign-in, also as somebody else, ends the session that its cookie named. */
async function endFormerSession(ctx: Context, present: string | undefined): Promise<void> {
  const cookie = ctx.context.authCookies.sessionToken;
  const former = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
  if (former && former !== present) await ctx.context.internalAdapter.deleteSession(former);
}
