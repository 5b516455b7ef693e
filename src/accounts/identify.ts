import type { FastifyRequest } from 'fastify';
import { CompiledQuery } from 'kysely';
import type { Caller } from '../platform/http/caller.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { headersOf, refuseWhenAway } from './auth-routes.ts';
import { authenticatedAt, IDLE_SECONDS, REFRESH_SECONDS } from './session-limits.ts';
import { type SignIn, sessionCookie } from './sign-in.ts';
import { signedValue } from './signed-cookies.ts';

/** The signed-in user of a request, from the session cookie; null when there is none. */
export async function identifyUser(
  signIn: SignIn,
  db: Database,
  request: FastifyRequest,
): Promise<Caller | null> {
  const { cookie } = request.headers;
  if (cookie === undefined) return null;
  try {
    return (await currentSession(signIn, db, cookie)) ?? (await librarySession(signIn, request));
  } catch (error) {
    await refuseWhenAway(db);
    signIn.options.logger.log('error', `a session could not be read: ${String(error)}`);
    // The database is up but had no time. That must not sign anybody out.
    return refuse('unavailable', 'This server is too busy to see who you are; try again in a second.', {
      retryAfterSeconds: 1,
    });
  }
}

/**
 * What nearly every request brings, a session that is not due for renewal, read in one statement: the library takes several
 * times as long. Null for everything else: renewing, ending and refusing a session is the library's.
 */
async function currentSession(signIn: SignIn, db: Database, cookie: string): Promise<Caller | null> {
  const { baseURL, secrets } = signIn.options;
  const token = signedValue(cookie, sessionCookie(baseURL), secrets);
  if (token === null) return null;
  const { rows } = await db.executeQuery<SessionRow>(CompiledQuery.raw(SESSION, [token, NOT_DUE_SECONDS]));
  const [row] = rows;
  if (!row) return null;
  const { session_id, created_at: createdAt, authenticated_at: authenticatedAt, ...user } = row;
  return callerOf(user, { id: session_id, createdAt, authenticatedAt });
}

/** Of a renewed session, until it is due for renewal. */
const NOT_DUE_SECONDS = IDLE_SECONDS - REFRESH_SECONDS;
/** Not composed anew for every request. */
const SESSION = `
  SELECT s.id AS session_id, s.created_at, s.authenticated_at, u.id, u.name, u.email, u.operator
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.token = $1 AND s.expires_at > now() + make_interval(secs => $2)`;

type SessionRow = { session_id: string; created_at: Date; authenticated_at: Date | null } & User;

async function librarySession(signIn: SignIn, request: FastifyRequest): Promise<Caller | null> {
  const found = await signIn.api.getSession({ headers: headersOf(signIn, request) });
  return found && callerOf(found.user, found.session);
}

type User = { id: string; name: string; email: string; operator?: boolean | null | undefined };

const callerOf = (
  { id, name, email, operator }: User,
  session: { id: string } & Parameters<typeof authenticatedAt>[0],
): Caller => ({
  kind: 'user',
  userId: id,
  sessionId: session.id,
  name: name === '' ? email : name,
  email,
  operator: operator === true,
  authenticatedAt: authenticatedAt(session),
});
