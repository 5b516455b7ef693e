// Turns declared operations into routes: identify (401), find the resource (404) and the role (403), plan (402),
// validate (400), then the verb inside one unit of work. No operation can forget a step.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { IsOptional } from 'typebox';
import type { Role } from '#src/domain/names.ts';
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from '../contract.ts';
import type { Tenant } from '../db/asker.ts';
import type { Reads } from '../db/replica/reads.ts';
import type { Log } from '../log.ts';
import { Refusal } from '../refusals.ts';
import { type Actor, type Database, runWork, type TransactionOptions, type Work } from '../work.ts';
import { actorOf, withinOf } from './actor.ts';
import { authorize, limitedBy } from './authorize.ts';
import { addBytesRoute } from './bytes-body.ts';
import type { Authorized, Authorizer, Caller, Located, Seen, Within } from './caller.ts';
import { chargeTo, recognize } from './current-request.ts';
import { credentialOf, type KnownCallers } from './known-callers.ts';
import { noteRefusals } from './refused.ts';
import { bodyBytesOf, type TenantLimits } from './tenant-limits.ts';
import { coerceQuery, refuseContent, validate } from './validate.ts';

export type Call<O> = {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O>;
  now: Date;
  caller: Caller | null;
  actor: Actor;
  /** The resource in the path; empty strings and nulls if the operation has none. */
  resource: Located;
  /** null for keys, and if the path names no organization. */
  role: Role | null;
  /** The tenant whose share of this server it uses; null: the system's. */
  tenant: Tenant | null;
  /** See Within; null for people. */
  within: Within;
  db: Database;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Refuses with `fresh_sign_in_required` a person whose last proof is too old; for `fresh: 'sometimes'`. */
  demandFresh: () => void;
  /** Opens a unit of work, for handlers that also work outside of one. */
  work: <T>(act: (work: Work) => Promise<T>, options?: TransactionOptions) => Promise<T>;
};

export type Route = {
  operation: Operation;
  handle: (call: Call<Operation>) => Promise<unknown>;
  /** The answer streams or waits, so a HEAD would never end. */
  held?: boolean;
  /** `call.db` may be the replica. */
  mayLag?: boolean;
  /**
   * Refusals that come before any of the body's (404 of a child, 403, 402;
   * docs/rules/errors-and-conventions.md#order-of-refusals). The verb throws them too. This runs only when the request is
   * about to be refused for its body or query, so a good request pays nothing.
   */
  beforeBody?: (asked: Asked) => Promise<unknown>;
  /** Refuses a request that was let in, before its body is read: there is no room for it now. */
  admit?: (asked: {
    caller: Caller | null;
    bodyBytes: number;
    now: Date;
    reply: FastifyReply;
  }) => Promise<void>;
};

export type Asked = {
  params: Record<string, string>;
  /** Any JSON value; null if there was no body. */
  body: unknown;
  now: Date;
  resource: Located;
  role: Role | null;
  within: Within;
  db: Database;
};

/** A route that only reads. */
export function read<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<ReplyOf<O>>,
): Route {
  return { operation, handle: handle as Route['handle'] };
}

/** A route that only reads, and whose answer comes as its schema would write it: as JSON, in UTF-8. */
export function readWritten<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Buffer>,
): Route {
  return {
    operation,
    async handle(call) {
      const json = await handle(call as unknown as Call<O>);
      call.reply.header('content-type', 'application/json; charset=utf-8');
      return json;
    },
  };
}

/**
 * A route that only reads, and that nobody decides by: it may be answered from the replica, a bounded time behind
 * (docs/rules/command-line.md#reads-from-a-replica). After a failure there it runs again, on the primary.
 */
export function show<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<ReplyOf<O>>,
): Route {
  return { ...read(operation, handle), mayLag: true };
}

/** A route whose whole handler is one unit of work. */
export function write<O extends Operation>(
  operation: O,
  handle: (call: Call<O>, work: Work) => Promise<ReplyOf<O> | undefined>,
  options?: TransactionOptions,
): Route {
  return {
    operation,
    handle: (call) =>
      call.work((work) => handle(call as unknown as Call<O>, work) as Promise<unknown>, options),
  };
}

/** A route that streams, waits or calls out; it opens its own units of work. */
export function raw<O extends Operation>(operation: O, handle: (call: Call<O>) => Promise<unknown>): Route {
  return { operation, handle: handle as unknown as Route['handle'], held: true };
}

/** Default limit of a body, in bytes. */
export const BODY_LIMIT = 256 * 1024;

/** Statuses that refuse a body or query: malformed, too large, wrong media type, a field at fault. */
const OF_THE_BODY = new Set([400, 413, 415]);

export type MountOptions = {
  /** Limits on one tenant's concurrent requests; null: none. */
  limits: TenantLimits | null;
  known: KnownCallers;
  /** Name of the session cookie. */
  sessionCookie: string;
  log: Log;
  reads: Reads;
};

/** Mounts every route; `clock` gives each request its one `now`. */
export function mount(
  http: FastifyInstance,
  routes: readonly Route[],
  authorizer: Authorizer,
  db: Database,
  clock: () => Date,
  { limits, known, sessionCookie, log, reads }: MountOptions,
): void {
  const granted = new WeakMap<FastifyRequest, Authorized & { tenant: Tenant | null }>();

  const seen = new WeakMap<FastifyRequest, Seen>();
  noteRefusals(http, log, (request) => seen.get(request) ?? { caller: null, resource: null });

  const askedOf = ({ caller, resource, role }: Authorized, request: FastifyRequest): Asked => {
    const params = request.params as Record<string, string>;
    const body = request.body ?? null;
    return { params, body, now: clock(), resource, role, within: withinOf(caller), db };
  };

  const refuseFirst =
    (beforeBody: NonNullable<Route['beforeBody']>) =>
    async (error: { status?: number; statusCode?: number }, request: FastifyRequest): Promise<never> => {
      const authorized = granted.get(request);
      if (authorized && OF_THE_BODY.has(error.status ?? error.statusCode ?? 500))
        await beforeBody(askedOf(authorized, request));
      throw error;
    };

  /** A child's 404 comes before 403 (right) and 402 (plan); its other refusals come after them. */
  async function refuseUnknownChild(
    beforeBody: Route['beforeBody'],
    authorized: Authorized,
    request: FastifyRequest,
  ): Promise<void> {
    const hasNul = Object.values(request.params as Record<string, string>).some((id) => id.includes('\0'));
    if (!beforeBody || hasNul) return;
    try {
      await beforeBody(askedOf(authorized, request));
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) throw error;
    }
  }

  /** Lets a request in; looks its credential up in the share of its last known tenant. */
  async function authorizeKnown(
    operation: Operation,
    request: FastifyRequest,
    childOf: (authorized: Authorized) => Promise<unknown>,
    found: Seen,
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

  for (const { operation, handle, held, mayLag, beforeBody, admit } of routes) {
    const add = (route: RouteOptions) =>
      operation.consumes === undefined ? http.route(route) : addBytesRoute(http, route);
    add({
      method: operation.method,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      ...(operation.bodyLimit ? { bodyLimit: operation.bodyLimit } : {}),
      schema: operation.reply ? { response: { [operation.status]: operation.reply } } : {},
      exposeHeadRoute: operation.method === 'GET' && !held,
      config: limitedBy(operation),
      onRequest: async (request, reply) => {
        const childOf = (authorized: Authorized) => refuseUnknownChild(beforeBody, authorized, request);
        const found: Seen = { caller: null, resource: null };
        seen.set(request, found);
        const authorized = await authorizeKnown(operation, request, childOf, found);
        const tenant = await authorizer.tenantOf(authorized.caller, authorized.resource.orgId);
        granted.set(request, { ...authorized, tenant });
        if (operation.right !== 'public') chargeTo(tenant);
        const bodyBytes = bodyBytesOf(request, operation.bodyLimit ?? BODY_LIMIT);
        await admit?.({ caller: authorized.caller, bodyBytes, now: clock(), reply });
        if (authorized.caller?.kind === 'user') recognize(authorized.caller.email);
        // An agent has a limit of its own (rate-limits.ts): many hosts must not use up what their people may ask.
        if (tenant !== null && operation.right !== 'agent')
          await limits?.count(tenant, {
            reply,
            bodyBytes,
            held: held === true,
          });
      },
      ...(beforeBody ? { errorHandler: refuseFirst(beforeBody) } : {}),
      handler: async (request, reply) => {
        const authorized = granted.get(request)!;
        const { caller, resource, role, tenant } = authorized;
        // PostgreSQL's text cannot hold NUL: such an id names nothing.
        if (Object.values(request.params as Record<string, string>).some((id) => id.includes('\0')))
          throw new Refusal('not_found', 'There is nothing with this id.');
        const now = clock();
        const query = coerceQuery(
          operation.query ?? { type: 'object' },
          request.query as Record<string, unknown>,
        );
        if (operation.query) validate(operation.query, query);
        else if (Object.keys(query).length > 0) {
          const [field = ''] = Object.keys(query);
          throw new Refusal('invalid_request', `${field} is not a parameter of this request.`, { field });
        }
        // No body at all is not the body `null`, which some operations take.
        if (operation.body && !(request.body === undefined && IsOptional(operation.body)))
          validate(operation.body, request.body);
        else if (!operation.body && operation.consumes === undefined) refuseContent(request.body);
        const actor = actorOf(caller, request.ip);
        const asked: Call<Operation> = {
          params: request.params as never,
          query: query as never,
          body: request.body as never,
          now,
          caller,
          actor,
          resource,
          role,
          tenant,
          within: withinOf(caller),
          db,
          request,
          reply,
          demandFresh: () => {
            if (caller?.kind === 'user') authorizer.refuseStale(caller);
          },
          work: async (act, options) => {
            const run = async (work: Work) => {
              // Whatever a session creates while it is being voided exists before the voiding looks, or not at all.
              if (operation.fresh && caller?.kind === 'user')
                await authorizer.holdSession(work, caller.sessionId);
              return act(work);
            };
            const done = await runWork(db, now, actor, run, options);
            if (resource.orgId !== '') reads.changed(resource.orgId);
            return done;
          },
        };
        const answer = mayLag
          ? () => reads.read([resource.orgId], (from) => handle({ ...asked, db: from }))
          : () => handle(asked);
        const takesTurn = tenant !== null && limits !== null && held !== true;
        const result = takesTurn ? await limits.inTurn(tenant, answer) : await answer();
        if (reply.sent) return reply;
        reply.status(operation.status);
        return operation.status === 204 ? null : result;
      },
    });
  }
}
