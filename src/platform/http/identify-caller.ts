// Lets a request in before its body is read, in the share of the tenant that its credential belonged to last.
import type { FastifyRequest } from 'fastify';
import type { Operation } from '../contract.ts';
import { Refusal } from '../refusals.ts';
import { authorize } from './authorize.ts';
import type { Authorized, Authorizer, RequestIdentity } from './caller.ts';
import { chargeTo } from './current-request.ts';
import { credentialOf, type KnownCallers } from './known-callers.ts';
import type { AuthorizedRequest, Route } from './route.ts';

export type IdentifyOptions = {
  authorizer: Authorizer;
  known: KnownCallers;
  /** Name of the session cookie. */
  sessionCookie: string;
};

/** See `authorize`. Remembers the tenant of the credential, so that its next request is looked up in that share. */
export async function identifyCaller(
  operation: Operation,
  request: FastifyRequest,
  childOf: (authorized: Authorized) => Promise<unknown>,
  found: RequestIdentity,
  { authorizer, known, sessionCookie }: IdentifyOptions,
): Promise<Authorized> {
  const credential = operation.right === 'public' ? null : credentialOf(request, sessionCookie);
  if (credential === null) return authorize(operation, request, authorizer, childOf, found);
  const whose = known.of(credential);
  if (whose !== undefined) chargeTo(whose);
  try {
    return await authorize(operation, request, authorizer, childOf, found);
  } catch (error) {
    // Only a 401 means that it is nobody's; an unreachable database or an operation without keys proves nothing.
    if (error instanceof Refusal && error.status === 401) known.forget(credential);
    throw error;
  } finally {
    if (found.caller !== null) known.learn(credential, await authorizer.tenantOf(found.caller, ''));
  }
}

/** A child's 404 comes before 403 (right) and 402 (plan); its other refusals come after them. */
export async function refuseUnknownChild(
  beforeBody: Route['beforeBody'],
  request: FastifyRequest,
  asked: () => AuthorizedRequest,
): Promise<void> {
  if (!beforeBody || hasNul(request)) return;
  try {
    await beforeBody(asked());
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) throw error;
  }
}

/** Whether an id in the path has a NUL, which PostgreSQL's text cannot hold: it names nothing. */
export const hasNul = (request: FastifyRequest): boolean =>
  Object.values(request.params as Record<string, string>).some((id) => id.includes('\0'));
