import type { FastifyRequest } from 'fastify';
import type { Caller } from '../platform/http/caller.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { headersOf, refuseWhenAway } from './auth-routes.ts';
import { authenticatedAt } from './session-limits.ts';
import type { SignIn } from './sign-in.ts';

/** The signed-in user of a request, from the session cookie; null when there is none. */
export async function identifyUser(
  signIn: SignIn,
  db: Database,
  request: FastifyRequest,
): Promise<Caller | null> {
  if (request.headers.cookie === undefined) return null;
  const session = await signIn.api.getSession({ headers: headersOf(signIn, request) }).catch(async () => {
    await refuseWhenAway(db);
    // The database is up but had no time. That must not sign anybody out.
    return refuse('unavailable', 'This server is too busy to see who you are; try again in a second.', {
      retryAfterSeconds: 1,
    });
  });
  if (!session) return null;
  const { id, name, email, operator } = session.user;
  return {
    kind: 'user',
    userId: id,
    sessionId: session.session.id,
    name: name === '' ? email : name,
    email,
    operator: operator === true,
    authenticatedAt: authenticatedAt(session.session),
  };
}
