// Sign-in, sessions and passwords: better-auth with our tables. Nothing of this is written by hand.
import { betterAuth } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';
import { newId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/work.ts';

export type SignInOptions = {
  baseUrl: string;
  secret: string;
  /** false: POST /auth/sign-up/email is refused by the library itself. */
  openSignUp: boolean;
};

/** The header in which our server hands the caller's address on; whatever the client sent there is overwritten. */
export const ADDRESS_HEADER = 'x-tocsin-address';

const ID_PREFIX = { user: 'usr', session: 'ses', account: 'acc', verification: 'ver' } as const;

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/** Makes the sign-in library's instance over our database. */
export function makeSignIn(db: Database, log: Log, { baseUrl, secret, openSignUp }: SignInOptions) {
  return betterAuth({
    baseURL: baseUrl,
    basePath: '/auth',
    secret,
    database: { db: db as never, type: 'postgres' },
    telemetry: { enabled: false },
    // Our own limits hold for every route, see platform/http.
    rateLimit: { enabled: false },
    logger: { level: 'error', log: (_level, message) => log.warn({ from: 'sign-in' }, String(message)) },
    emailAndPassword: {
      enabled: true,
      disableSignUp: !openSignUp,
      minPasswordLength: 8,
      maxPasswordLength: 128,
    },
    hooks: {
      // A new password ends all other sessions, whatever the caller asks for (decisions, section 2).
      before: createAuthMiddleware(async (context) => {
        if (context.path !== '/change-password') return;
        const body = { ...(context.body as object), revokeOtherSessions: true };
        return { context: { ...context, body } };
      }),
    },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...timestamps,
      },
      expiresIn: 30 * 24 * 3600,
      updateAge: 3600,
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', ...timestamps },
      additionalFields: { operator: { type: 'boolean', input: false, defaultValue: false } },
    },
    account: {
      modelName: 'accounts',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...timestamps,
      },
    },
    verification: { modelName: 'verifications', fields: { expiresAt: 'expires_at', ...timestamps } },
    advanced: {
      cookiePrefix: 'tocsin',
      useSecureCookies: baseUrl.startsWith('https:'),
      // Same-origin is demanded for every route of ours, see platform/http/server.
      disableCSRFCheck: true,
      disableOriginCheck: true,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: ({ model }) => newId(ID_PREFIX[model as keyof typeof ID_PREFIX] ?? 'ver') },
    },
  });
}

export type SignIn = ReturnType<typeof makeSignIn>;
