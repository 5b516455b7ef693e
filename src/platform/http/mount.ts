// Turns declared operations into routes: identify (401), find the resource (404) and the role (403), plan (402),
// validate (400), then the verb inside one unit of work. No operation can forget a step.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Operation } from '../contract.ts';
import type { Tenant } from '../db/asker.ts';
import type { Reads } from '../db/replica/reads.ts';
import type { Log } from '../log.ts';
import { Refusal } from '../refusals.ts';
import { type Database, runWork, type Work } from '../work.ts';
import { actorOf, withinOf } from './actor.ts';
import { limitedBy } from './authorize.ts';
import { addBytesRoute } from './bytes-body.ts';
import type { Authorized, Authorizer, RequestIdentity } from './caller.ts';
import { checkedInput } from './checked-input.ts';
import { chargeTo, recognize } from './current-request.ts';
import { hasNul, type IdentifyOptions, identifyCaller, refuseUnknownChild } from './identify-caller.ts';
import { noteRefusals } from './refused.ts';
import { type AuthorizedRequest, BODY_LIMIT, type Call, type Route } from './route.ts';
import { bodyBytesOf, type TenantLimits } from './tenant-limits.ts';

/** Statuses that refuse a body or query: malformed, too large, wrong media type, a field at fault. */
const OF_THE_BODY = new Set([400, 413, 415]);

export type MountOptions = Omit<IdentifyOptions, 'authorizer'> & {
  /** Limits on one tenant's concurrent requests; null: none. */
  limits: TenantLimits | null;
  log: Log;
  reads: Reads;
};

type Granted = Authorized & { tenant: Tenant | null };

/** Mounts every route; `clock` gives each request its one `now`. */
export function mount(
  http: FastifyInstance,
  routes: readonly Route[],
  authorizer: Authorizer,
  db: Database,
  clock: () => Date,
  { limits, known, sessionCookie, log, reads }: MountOptions,
): void {
  const granted = new WeakMap<FastifyRequest, Granted>();
  const seen = new WeakMap<FastifyRequest, RequestIdentity>();
  noteRefusals(http, log, (request) => seen.get(request) ?? { caller: null, resource: null });

  const askedOf = ({ caller, resource, role }: Authorized, request: FastifyRequest): AuthorizedRequest => {
    const params = request.params as Record<string, string>;
    const body = request.body ?? null;
    return { params, body, now: clock(), resource, role, within: withinOf(caller), db };
  };

  /** Before the body is read: who may call, and whether there is room for the request. */
  async function enter(
    { operation, held, beforeBody, admit }: Route,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const childOf = (authorized: Authorized) =>
      refuseUnknownChild(beforeBody, request, () => askedOf(authorized, request));
    const found: RequestIdentity = { caller: null, resource: null };
    seen.set(request, found);
    const authorized = await identifyCaller(operation, request, childOf, found, {
      authorizer,
      known,
      sessionCookie,
    });
    const tenant = await authorizer.tenantOf(authorized.caller, authorized.resource.orgId);
    granted.set(request, { ...authorized, tenant });
    if (operation.right !== 'public') chargeTo(tenant);
    const bodyBytes = bodyBytesOf(request, operation.bodyLimit ?? BODY_LIMIT);
    await admit?.({ caller: authorized.caller, bodyBytes, now: clock(), reply });
    if (authorized.caller?.kind === 'user') recognize(authorized.caller.email);
    // An agent has a limit of its own (rate-limits.ts): many hosts must not use up the share of their people.
    if (tenant !== null && operation.right !== 'agent')
      await limits?.count(tenant, { reply, bodyBytes, held: held === true });
  }

  /** Refuses a bad body or query with the refusals that come before it, if there is one. */
  const refuseFirst =
    (beforeBody: NonNullable<Route['beforeBody']>) =>
    async (error: { status?: number; statusCode?: number }, request: FastifyRequest): Promise<never> => {
      const authorized = granted.get(request);
      if (authorized && OF_THE_BODY.has(error.status ?? error.statusCode ?? 500))
        await beforeBody(askedOf(authorized, request));
      throw error;
    };

  async function answer(
    { operation, handle, held, mayLag }: Route,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const allowed = granted.get(request)!;
    const { resource, tenant } = allowed;
    if (hasNul(request)) throw new Refusal('not_found', 'There is nothing with this id.');
    const now = clock();
    const query = checkedInput(operation, request);
    const call = callOf({ authorizer, db, reads, clock }, operation, allowed, { query, now, request, reply });
    const run = mayLag
      ? () => reads.read([resource.orgId], (from) => handle({ ...call, db: from }))
      : () => handle(call);
    const takesTurn = tenant !== null && limits !== null && held !== true;
    const result = takesTurn ? await limits.inTurn(tenant, run) : await run();
    if (reply.sent) return reply;
    reply.status(operation.status);
    return operation.status === 204 ? null : result;
  }

  for (const route of routes) {
    const { operation, held, beforeBody } = route;
    const add = (options: RouteOptions) =>
      operation.consumes === undefined ? http.route(options) : addBytesRoute(http, options);
    add({
      method: operation.method,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      ...(operation.bodyLimit ? { bodyLimit: operation.bodyLimit } : {}),
      schema: operation.reply ? { response: { [operation.status]: operation.reply } } : {},
      exposeHeadRoute: operation.method === 'GET' && !held,
      config: limitedBy(operation),
      onRequest: (request, reply) => enter(route, request, reply),
      ...(beforeBody ? { errorHandler: refuseFirst(beforeBody) } : {}),
      handler: (request, reply) => answer(route, request, reply),
    });
  }
}

/** The argument of a handler. */
function callOf(
  { authorizer, db, reads, clock }: { authorizer: Authorizer; db: Database; reads: Reads; clock: () => Date },
  operation: Operation,
  { caller, resource, role, tenant }: Granted,
  { query, now, request, reply }: Pick<Call<Operation>, 'now' | 'request' | 'reply'> & { query: object },
): Call<Operation> {
  const actor = actorOf(caller, request.ip);
  return {
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
        // What a session creates while it is being ended is committed before the ending looks for it, or never.
        if (operation.fresh && caller?.kind === 'user') await authorizer.holdSession(work, caller.sessionId);
        return act(work);
      };
      const done = await runWork(db, now, actor, run, { clock, ...options });
      if (resource.orgId !== '') reads.changed(resource.orgId);
      return done;
    },
  };
}
