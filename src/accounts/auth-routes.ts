// Carries /auth/* to the sign-in library and its answers back, errors in the one error shape (docs/rules/access.md#sign-in).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { isMailable } from '../domain/email-address.ts';
import { isBearer } from '../platform/http/authorize.ts';
import { validate } from '../platform/http/validate.ts';
import { Refusal, type RefusalCode, refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { ADDRESS_HEADER } from './auth-hooks.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { REACHABLE, type Reachable } from './reachable.ts';
import type { SignIn } from './sign-in.ts';
import { type MailedSignUp, mailVerificationLink } from './sign-up.ts';
import { resignCookies } from './signed-cookies.ts';

/** Mounts the library's reachable routes under /auth. `has`: what this installation can do. `mailed`: sign-up needs a mailed link. */
export function mountSignIn(
  http: FastifyInstance,
  signIn: SignIn,
  db: Database,
  has: { mail: boolean; oidc: boolean },
  mailed: MailedSignUp | null,
): void {
  for (const route of REACHABLE) {
    if (route.needs && !has[route.needs]) continue;
    const url = `/auth${route.path}`;
    http.route({
      method: route.method,
      url,
      onRequest: refuseBearer,
      handler: async (request, reply) => {
        const body = bodyOf(route, request);
        refuseUnmailable((body as { email?: unknown } | undefined)?.email);
        await refuseCommonPassword(
          (body as { newPassword?: unknown } | undefined)?.newPassword,
          'newPassword',
        );
        const query = route.query ? (/\?.*$/.exec(request.url)?.[0] ?? '') : '';
        const response = await signIn.handler(requestOf(signIn, request, url + query, body));
        if (response.status >= 500) await refuseWhenAway(db);
        return answer(response, reply);
      },
    });
  }
  http.route({
    method: 'POST',
    url: '/auth/sign-up/email',
    onRequest: refuseBearer,
    handler: (request, reply) => signUp(signIn, db, mailed, request, reply),
  });
}

/** A request that carries a Bearer credential never falls back to the cookie (docs/rules/access.md). */
async function refuseBearer(request: FastifyRequest): Promise<void> {
  if (isBearer(request.headers.authorization))
    refuse('key_not_accepted', 'Sign-in needs a session; API keys are not accepted here.');
}

/** The body as the route takes it; unknown fields and wrong types are refused by name. */
function bodyOf({ method, body }: Reachable, request: FastifyRequest): unknown {
  if (method === 'GET') return undefined;
  const given = request.body ?? {};
  validate(body ?? { type: 'object', additionalProperties: false }, given);
  return given;
}

/** The library hides that the database is away behind a general error, so we ask the database ourselves (503). */
export async function refuseWhenAway(db: Database): Promise<void> {
  await sql`SELECT 1`.execute(db);
}

/**
 * The first user becomes the operator, without a link: there are no accounts yet that it could reveal. If two people sign up
 * first at once, one is asked to try again.
 */
async function signUp(
  signIn: SignIn,
  db: Database,
  mailed: MailedSignUp | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const account = newAccount(request.body);
  await refuseCommonPassword(account.password);
  const handle = () => signIn.handler(requestOf(signIn, request, '/auth/sign-up/email', account));
  const anyone = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (anyone && mailed) return reply.send(await mailVerificationLink(mailed, account));
  if (anyone) return answer(await handle(), reply);
  const response = await db.transaction().execute(async (tx) => {
    // SKIP LOCKED does not wait: the library needs its own connection while this one is held. The set-up link takes
    // the same lock (first-start.ts).
    const { rows } = await sql`SELECT 1 FROM installation FOR UPDATE SKIP LOCKED`.execute(tx);
    if (rows.length === 0)
      refuse('unavailable', 'Somebody else is signing up as the first user right now; try again.', {
        retryAfterSeconds: 1,
      });
    const isFirst = !(await tx.selectFrom('users').select('id').limit(1).executeTakeFirst());
    const made = await handle();
    // By address: somebody who came later may have signed up meanwhile.
    if (made.ok && isFirst)
      await sql`UPDATE users SET operator = true
                WHERE email = lower(${account.email}) AND NOT EXISTS (SELECT FROM users WHERE operator)`.execute(
        tx,
      );
    return made;
  });
  return answer(response, reply);
}

/** The library accepts addresses that no mail server must accept. */
function refuseUnmailable(email: unknown): void {
  if (typeof email === 'string' && !isMailable(email.trim()))
    refuse('invalid_request', 'email has more than 64 characters before the @, or more than 254 in all.', {
      field: 'email',
    });
}

/** The fields of a new account and no others that the library would accept; names have the usual length. */
function newAccount(body: unknown): { email: unknown; password: unknown; name: string } {
  const { email, password, name } = (body ?? {}) as Record<string, unknown>;
  refuseUnmailable(email);
  const trimmed = typeof name === 'string' ? name.trim() : '';
  if (trimmed === '' || [...trimmed].length > 200)
    refuse('invalid_request', 'name must have 1 to 200 characters.', { field: 'name' });
  return { email, password, name: trimmed };
}

/** The web-standard request that the library takes, with the caller's address as our proxy rules see it. */
export function requestOf(
  signIn: SignIn,
  request: FastifyRequest,
  path: string,
  body: unknown = request.body,
): Request {
  const base = signIn.options.baseURL;
  // A HEAD is a GET without its body, never a POST: a POST from another origin must be refused.
  const reads = request.method === 'GET' || request.method === 'HEAD';
  return new Request(new URL(path, base), {
    method: reads ? 'GET' : 'POST',
    headers: headersOf(signIn, request),
    ...(body !== undefined && !reads ? { body: JSON.stringify(body) } : {}),
  });
}

/** Headers for the library, the caller's address among them. */
export function headersOf(signIn: SignIn, request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name === 'content-length') continue;
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const { cookie } = request.headers;
  if (cookie) headers.set('cookie', resignCookies(cookie, signIn.options.secrets));
  headers.set('content-type', 'application/json');
  headers.set(ADDRESS_HEADER, request.ip);
  return headers;
}

const CODE_OF_STATUS: Record<number, RefusalCode> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  429: 'rate_limited',
  503: 'unavailable',
};

/** The library's refusal in our error shape; throws if the library failed. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const { status } = response;
  if (status >= 500 && status !== 503) throw new Error(`the sign-in library answered ${status}`);
  let said: { code?: string; message?: string } = {};
  try {
    said = (await response.json()) as typeof said;
  } catch {
    // The library answers some refusals without a body.
  }
  const code = CODE_OF_STATUS[status] ?? 'invalid_request';
  const wait = Number(response.headers.get('retry-after') ?? '');
  return new Refusal(code, sentence(said.message ?? 'The request was refused'), {
    ...(said.code ? { reason: said.code.toLowerCase() } : {}),
    ...(wait > 0 ? { retryAfterSeconds: wait } : {}),
  });
}

/** Sends the library's answer; every error takes our shape, with the library's own code as `reason`. */
export async function answer(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  passCookies(response, reply);
  if (response.status >= 400) throw await refusalOf(response);
  const text = await response.text();
  reply.status(response.status);
  const location = response.headers.get('location');
  if (location) reply.header('location', location);
  reply.header('content-type', response.headers.get('content-type') ?? 'application/json');
  return reply.send(text);
}

/** Signs a new account in and passes the session cookie on; throws the library's refusal (such as a wait). */
export async function signInNew(
  signIn: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
  account: { email: string; password: string },
): Promise<void> {
  const response = await signIn.handler(requestOf(signIn, request, '/auth/sign-in/email', account));
  if (response.ok) passCookies(response, reply);
  else await answer(response, reply);
}

const LONGEST_SESSION_SECONDS = 30 * 24 * 3600;

/**
 * Passes the library's cookies on. The library would let the session cookie expire with an idle session, and renews it on
 * its own routes only. So the browser keeps the cookie as long as a session can last, and the server ends idle ones.
 */
export function passCookies(response: Response, reply: FastifyReply): void {
  for (const cookie of response.headers.getSetCookie()) {
    const ofSession = /^[\w.-]*session_token=[^;]/.test(cookie);
    reply.header(
      'set-cookie',
      ofSession ? cookie.replace(/Max-Age=\d+/i, `Max-Age=${LONGEST_SESSION_SECONDS}`) : cookie,
    );
  }
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
