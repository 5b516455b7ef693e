// Signing in with the OIDC provider, as a plugin of the sign-in library: it keeps the state, makes the session and links
// the account; what the provider says is verified by openid-client.

import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { generateState, handleOAuthUserInfo, parseState } from 'better-auth/oauth2';
import { sql } from 'kysely';
import { isMailable } from '#src/domain/email-address.ts';
import type { Log } from '#src/platform/log.ts';
import type { Mail } from '#src/platform/mail/mail.ts';
import { Refusal } from '#src/platform/refusals.ts';
import { randomToken } from '#src/platform/secrets.ts';
import { type Database, runWork } from '#src/platform/work.ts';
import { proveAddress } from '../first-proof.ts';
import { mailOwner } from '../first-proof-mail.ts';
import type { SlowDown } from '../slow-down.ts';
import type { Claims, OidcProvider } from './provider.ts';

export type OidcSignInOptions = {
  db: Database;
  clock: () => Date;
  log: Log;
  provider: OidcProvider;
  signup: 'closed' | 'invite' | 'open';
  mail: Mail | null;
  baseUrl: string;
  slowDown: SlowDown;
};

const HOME = '/app/';
const SIGN_IN_PAGE = '/app/sign-in';
/** Registered with the provider, below BASE_URL/auth. */
const CALLBACK = '/oauth2/callback/oidc';

export function oidcSignIn(options: OidcSignInOptions): BetterAuthPlugin {
  const { db, clock, log, provider, signup, mail, baseUrl, slowDown } = options;
  return {
    id: 'oidc',
    endpoints: {
      /** Answers `{url}`: where the browser goes. The pages it comes back to are our own (reachable.ts). */
      signInWithOidc: createAuthEndpoint('/sign-in/oauth2', { method: 'POST' }, async (ctx) => {
        const nonce = randomToken(24);
        const back = ctx.body as { callbackURL?: string };
        ctx.body = { ...back, callbackURL: back.callbackURL ?? HOME };
        const { state, codeVerifier } = await generateState(ctx, undefined, { nonce });
        const redirectUri = `${ctx.context.baseURL}${CALLBACK}`;
        try {
          const url = await provider.authorizationUrl(redirectUri, { state, nonce, codeVerifier });
          return ctx.json({ url, redirect: true });
        } catch (error) {
          log.warn({ why: whyOf(error) }, 'cannot reach the OIDC provider');
          throw new Refusal('unavailable', 'The sign-in provider cannot be reached right now; try again.', {
            retryAfterSeconds: 5,
          });
        }
      }),

      oidcCallback: createAuthEndpoint(CALLBACK, { method: 'GET' }, async (ctx) => {
        const { callbackURL, codeVerifier, errorURL, ...rest } = await parseState(ctx);
        const fail = (code: string) => {
          const page = errorURL?.startsWith('/app') ? errorURL : SIGN_IN_PAGE;
          return ctx.redirect(
            `${page}${page.includes('?') ? '&' : '?'}${new URLSearchParams({ error: code })}`,
          );
        };
        const query = ctx.query as Record<string, string>;
        if (query.error) throw fail(query.error === 'access_denied' ? 'access_denied' : 'provider_error');

        const cameBackTo = new URL(`${ctx.context.baseURL}${CALLBACK}?${new URLSearchParams(query)}`);
        const checks = { state: query.state ?? '', nonce: String(rest.nonce), codeVerifier };
        const claims = await provider.redeem(cameBackTo, checks).catch((error: unknown) => {
          log.warn({ why: whyOf(error) }, 'a sign-in with the OIDC provider was refused');
          return null;
        });
        if (!claims) throw fail('provider_error');
        if (claims.email === null) throw fail('email_is_missing');
        if (!claims.emailVerified) throw fail('email_not_verified');

        const email = claims.email.toLowerCase();
        await provenBy(claims, email);
        const result = await handleOAuthUserInfo(ctx, {
          userInfo: { id: accountId(claims), email, emailVerified: true, name: claims.name ?? email },
          // The provider's tokens are not kept: we never act in the person's name.
          account: { providerId: 'oidc', accountId: accountId(claims) },
          callbackURL,
          disableSignUp: !isMailable(email) || !(await mayJoin(email)),
        });
        if (result.error !== null) throw fail(result.error.replaceAll(' ', '_'));
        await setSessionCookie(ctx, result.data);
        throw ctx.redirect(callbackURL);
      }),
    },
  };

  /**
   * The provider vouches for the address: an account that was made for it before by nobody knows whom is its owner's from
   * here on. Not where this identity is somebody's already: whatever its address is now, it signs that person in.
   */
  async function provenBy(claims: Claims, email: string): Promise<void> {
    const unproven = await db
      .selectFrom('users')
      .select(['id', 'name'])
      .where('email', '=', email)
      .where('email_verified', '=', false)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('accounts')
              .select('accounts.id')
              .where('provider_id', '=', 'oidc')
              .where('account_id', '=', accountId(claims))
              .whereRef('accounts.user_id', '<>', 'users.id'),
          ),
        ),
      )
      .executeTakeFirst();
    if (!unproven) return;
    const actor = { kind: 'user', id: unproven.id, name: unproven.name || email, address: null } as const;
    const proof = await runWork(db, clock(), actor, (work) =>
      proveAddress(work, unproven.id, { keepPassword: false }),
    );
    if (!proof) return;
    await slowDown.forget(email);
    void mailOwner({ db, log, mail, baseUrl }, proof);
  }

  /** Whether a person without an account gets one. The first user comes by the set-up link, never this way. */
  async function mayJoin(email: string): Promise<boolean> {
    if (signup === 'closed') return false;
    if (signup === 'open') {
      const { rows } = await sql`SELECT 1 FROM users LIMIT 1`.execute(db);
      return rows.length > 0;
    }
    const invited = await db
      .selectFrom('invitations')
      .select('id')
      .where(sql<string>`lower(email)`, '=', email)
      .where('expires_at', '>', clock())
      .executeTakeFirst();
    return invited !== undefined;
  }
}

/** A subject is unique at its issuer only. */
const accountId = ({ issuer, subject }: Claims) => `${issuer} ${subject}`;

/** The error without its details: claims and tokens must not reach a log. */
const whyOf = (error: unknown) => {
  const { message, code } = error as { message?: string; code?: string };
  return [code, message].filter(Boolean).join(': ');
};
