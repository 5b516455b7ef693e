import type { FastifyRequest } from 'fastify';
import type { Caller } from '../platform/http/mount.ts';
import { headersOf } from './auth-routes.ts';
import type { SignIn } from './sign-in.ts';

/**
 * The signed-in user of a request, from the session cookie. A request that carries an Authorization header never
 * falls back to the cookie (decisions, section 2).
 */
export async function identifyUser(signIn: SignIn, request: FastifyRequest): Promise<Caller | null> {
  if (request.headers.authorization !== undefined || request.headers.cookie === undefined) return null;
  const session = await signIn.api.getSession({ headers: headersOf(request) });
  if (!session) return null;
  const { id, name, email, operator } = session.user;
  return { kind: 'user', userId: id, name: name === '' ? email : name, email, operator: operator === true };
}
