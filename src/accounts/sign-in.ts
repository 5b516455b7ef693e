// Sign-in, sessions, passwords, second factors and passkeys: better-auth with our tables. None of it is our own
// code; the rules we add are in auth-hooks.ts.
import { passkey } from '@better-auth/passkey';
import { APIError, betterAuth } from 'better-auth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { newId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Mail } from '../platform/mail/mail.ts';
import { Refusal } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { ADDRESS_HEADER, authHooks } from './auth-hooks.ts';
import { forgottenPassword } from './forgotten-password.ts';
import type { LibrarySecrets } from './library-secrets.ts';
import {
  ACCOUNTS,
  ID_PREFIX,
  PASSKEYS,
  SESSIONS,
  TWO_FACTORS,
  USERS,
  VERIFICATIONS,
} from './library-tables.ts';
import type { OidcProvider } from './oidc/provider.ts';
import { oidcSignIn } from './oidc/routes.ts';
import { passkeyOptions } from './passkey-options.ts';
import { passwordHash, passwordMatches } from './password-hashing.ts';
import { absoluteEnd, IDLE_SECONDS, REFRESH_SECONDS } from './session-limits.ts';
import type { SlowDown } from './slow-down.ts';

export type SignInOptions = {
  baseUrl: string;
  /** With 0 the base URL does not know its port. */
  port: number;
  secrets: LibrarySecrets;
  signup: 'closed' | 'invite' | 'open';
  mail: Mail | null;
  oidc: OidcProvider | null;
  slowDown: SlowDown;
  clock: () => Date;
};

const cookiePrefix = (isHttps: boolean) => (isHttps ? '__Host-tocsin' : 'tocsin');

/** Name of the session cookie of an installation at this address. */
export const sessionCookie = (baseUrl: string) =>
  `${cookiePrefix(new URL(baseUrl).protocol === 'https:')}.session_token`;

/** Makes the sign-in library's instance over our database. */
export function makeSignIn(db: Database, log: Log, options: SignInOptions) {
  const { baseUrl, secrets, signup, mail, oidc, slowDown, clock } = options;
  const isHttps = baseUrl.startsWith('https:');
  return betterAuth({
    appName: 'Tocsin',
    baseURL: baseUrl,
    basePath: '/auth',
    ...secrets,
    database: { db: db as never, type: 'postgres' },
    telemetry: { enabled: false },
    // Our own limits hold for every route, see platform/http and slow-down.ts.
    rateLimit: { enabled: false },
    logger: { level: 'error', log: (_level, message) => log.warn({ from: 'sign-in' }, String(message)) },
    // Our own refusals pass through unchanged.
    onAPIError: { throw: true, errorURL: '/app/sign-in' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: signup !== 'open',
      minPasswordLength: 8,
      maxPasswordLength: 128,
      password: {
        hash: (password) => asLibraryError(passwordHash(password)),
        verify: (given) => asLibraryError(passwordMatches(given)),
      },
      ...forgottenPassword({ db, log, clock, baseUrl, mail, slowDown }),
    },
    plugins: [
      twoFactor({
        issuer: 'Tocsin',
        schema: TWO_FACTORS,
        // Its lock would shut the owner out as well; ours lets the addresses they use through, see slow-down.ts.
        accountLockout: { enabled: false },
      }),
      passkey({ ...passkeyOptions(options), schema: PASSKEYS }),
      ...(oidc ? [oidcSignIn({ db, clock, log, provider: oidc, signup, mail, baseUrl, slowDown })] : []),
      authHooks({ db, clock, log, slowDown }),
    ],
    session: {
      ...SESSIONS,
      expiresIn: IDLE_SECONDS,
      updateAge: REFRESH_SECONDS,
      // Lists of one's sessions are always shown; what wants a fresh one asks for it (passkey-options.ts).
      freshAge: 0,
    },
    user: USERS,
    account: {
      ...ACCOUNTS,
      // An account with an address that was never proven may have been made by somebody else before its owner came. Their
      // coming empties it first (first-proof.ts); the library itself never links to one.
      accountLinking: { requireLocalEmailVerified: true },
    },
    // One-time tokens are kept as hashes.
    verification: { ...VERIFICATIONS, storeIdentifier: 'hashed' },
    databaseHooks: {
      session: {
        create: {
          // "Do not remember me" would be a day, idle or not.
          before: async (session) => ({ data: { expiresAt: earlier(session.expiresAt, idleEnd(session)) } }),
        },
        update: {
          before: async (change, context) => {
            const created = context?.context.session?.session.createdAt;
            if (!created || !change.expiresAt) return;
            return { data: { expiresAt: earlier(change.expiresAt, absoluteEnd(created)) } };
          },
        },
      },
    },
    advanced: {
      // A browser takes `__Host-` from this very host over https only: no neighbour under the same domain can plant one.
      cookiePrefix: cookiePrefix(isHttps),
      useSecureCookies: false, // it means the library's own prefix, which neighbours can plant
      defaultCookieAttributes: { secure: isHttps },
      // Same-origin is demanded for every route of ours, see platform/http/server.
      disableCSRFCheck: true,
      disableOriginCheck: true,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      // A slow mail must not reveal that the address has an account.
      backgroundTasks: { handler: (task) => void task.catch(() => {}) },
      database: { generateId: ({ model }) => newId(ID_PREFIX[model as keyof typeof ID_PREFIX] ?? 'ver') },
    },
  });
}

export type SignIn = ReturnType<typeof makeSignIn>;

const earlier = (left: Date, right: Date) => (left.getTime() <= right.getTime() ? left : right);
const idleEnd = ({ createdAt }: { createdAt: Date }) => new Date(createdAt.getTime() + IDLE_SECONDS * 1000);

/** A queue that is full is an answer of the library's own kind, so that its hooks see it. */
async function asLibraryError<T>(hashing: Promise<T>): Promise<T> {
  try {
    return await hashing;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const wait = String(error.details.retryAfterSeconds ?? 1);
    throw new APIError('SERVICE_UNAVAILABLE', { message: error.message }, { 'retry-after': wait });
  }
}
