// Turns declared operations into routes: identify (401), find the resource (404) and the role (403), plan (402),
// validate (400), then the verb inside one unit of work. No operation can forget a step.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf, Right, Subject } from '../contract.ts';
import { Refusal } from '../refusals.ts';
import { type Actor, type Database, runWork, type Work } from '../work.ts';
import { coerceQuery, validate } from './validate.ts';

export type Role = 'owner' | 'admin' | 'manager' | 'member';

/** Who calls. A probe token's audience is the probe protocol only. */
export type Caller =
  | { kind: 'user'; userId: string; sessionId: string; name: string; email: string; operator: boolean }
  | { kind: 'probe'; regionNo: number; regionSlug: string; allowPrivateTargets: boolean };

/** The organization that owns the resource named in the path. */
export type Located = { orgId: string; projectId: string | null; monitorNo: number | null };

/** What the mount asks of the application, so that the platform knows no business words of its own. */
export type Gatekeeper = {
  /** null when there is no valid credential. */
  identify: (request: FastifyRequest, audience: 'user' | 'probe') => Promise<Caller | null>;
  locate: (subject: Exclude<Subject, 'none'>, params: Record<string, string>) => Promise<Located | null>;
  roleOf: (orgId: string, userId: string) => Promise<Role | null>;
  hasCapability: (orgId: string, capability: NonNullable<Operation['capability']>) => Promise<boolean>;
};

export type Call<O> = {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O>;
  now: Date;
  caller: Caller | null;
  actor: Actor;
  /** Of the resource in the path; empty strings and nulls where the operation has none. */
  subject: Located;
  role: Role | null;
  db: Database;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Opens a unit of work, for handlers that must do something outside of one as well. */
  work: <T>(act: (work: Work) => Promise<T>) => Promise<T>;
};

export type Route = {
  operation: Operation;
  handle: (call: Call<Operation>) => Promise<unknown>;
  /** Streams or waits: a HEAD of it would never end. */
  held?: boolean;
};

/** A route that only reads. */
export function read<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<ReplyOf<O>>,
): Route {
  return { operation, handle: handle as Route['handle'] };
}

/** A route whose whole handler is one unit of work. */
export function write<O extends Operation>(
  operation: O,
  handle: (call: Call<O>, work: Work) => Promise<ReplyOf<O> | undefined>,
): Route {
  return {
    operation,
    handle: (call) => call.work((work) => handle(call as unknown as Call<O>, work) as Promise<unknown>),
  };
}

/** A route that streams, waits or talks to the outside: it opens units of work itself. */
export function raw<O extends Operation>(operation: O, handle: (call: Call<O>) => Promise<unknown>): Route {
  return { operation, handle: handle as unknown as Route['handle'], held: true };
}

/** Whether a request carries a Bearer credential; a proxy's own Basic credential is not ours to judge. */
export function isBearer(authorization: string | undefined): boolean {
  return authorization !== undefined && /^bearer\b/i.test(authorization.trim());
}

const ROLES_OF: Partial<Record<Right, readonly Role[]>> = {
  member: ['owner', 'admin', 'manager', 'member'],
  project_management: ['owner', 'admin', 'manager'],
  member_management: ['owner', 'admin'],
  admin: ['owner', 'admin'],
};

type Admitted = { caller: Caller | null; subject: Located; role: Role | null };
const NOWHERE: Located = { orgId: '', projectId: null, monitorNo: null };

const UNAUTHENTICATED = 'Sign in, or send a valid credential.';

/** Steps 401, 404, 403, 402 in this order (decisions, section 1), before the body is even read. */
async function admit(operation: Operation, request: FastifyRequest, gate: Gatekeeper): Promise<Admitted> {
  if (operation.right === 'public') return { caller: null, subject: NOWHERE, role: null };
  const audience = operation.right === 'probe' ? 'probe' : 'user';
  const bearer = isBearer(request.headers.authorization);
  if (audience === 'user' && bearer && operation.scope === undefined)
    throw new Refusal(
      'key_not_accepted',
      'This operation needs a signed-in session; API keys are not accepted here.',
    );
  const caller = await gate.identify(request, audience);
  if (!caller) throw new Refusal('unauthenticated', UNAUTHENTICATED);
  if (operation.right === 'operator' && !(caller.kind === 'user' && caller.operator))
    throw new Refusal('forbidden', 'Only the operator of this installation may do this.');
  if (operation.subject === 'none') return { caller, subject: NOWHERE, role: null };

  const subject = await gate.locate(operation.subject, request.params as Record<string, string>);
  if (!subject) throw new Refusal('not_found', `There is no such ${operation.subject}.`);
  if (caller.kind !== 'user') throw new Refusal('unauthenticated', UNAUTHENTICATED);
  const role = await gate.roleOf(subject.orgId, caller.userId);
  if (!role) throw new Refusal('forbidden', 'You are not a member of the organization this belongs to.');
  if (!ROLES_OF[operation.right]?.includes(role))
    throw new Refusal('forbidden', `Your role (${role}) may not do this.`);
  if (operation.capability && !(await gate.hasCapability(subject.orgId, operation.capability)))
    throw new Refusal(
      'plan_capability',
      `The organization's plan does not include ${operation.capability}.`,
      {
        field: operation.capability,
      },
    );
  return { caller, subject, role };
}

function actorOf(caller: Caller | null, address: string): Actor {
  if (caller?.kind === 'user') return { kind: 'user', id: caller.userId, name: caller.name, address };
  if (caller?.kind === 'probe')
    return { kind: 'agent', id: null, name: `probe ${caller.regionSlug}`, address };
  return { kind: 'system', id: null, name: 'anonymous', address };
}

/** Mounts every route; `clock` gives the one `now` of each request. */
export function mount(
  http: FastifyInstance,
  routes: readonly Route[],
  gate: Gatekeeper,
  db: Database,
  clock: () => Date,
): void {
  const admissions = new WeakMap<FastifyRequest, Admitted>();
  for (const { operation, handle, held } of routes) {
    http.route({
      method: operation.method,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      ...(operation.bodyLimit ? { bodyLimit: operation.bodyLimit } : {}),
      schema: operation.reply ? { response: { [operation.status]: operation.reply } } : {},
      exposeHeadRoute: operation.method === 'GET' && !held,
      onRequest: async (request, reply) => {
        // Answers are one caller's, and some carry a secret that is shown once.
        reply.header('cache-control', 'no-store');
        admissions.set(request, await admit(operation, request, gate));
      },
      handler: async (request, reply) => {
        const { caller, subject, role } = admissions.get(request)!;
        const query = coerceQuery(
          operation.query ?? { type: 'object' },
          request.query as Record<string, unknown>,
        );
        if (operation.query) validate(operation.query, query);
        else if (Object.keys(query).length > 0) {
          const [field = ''] = Object.keys(query);
          throw new Refusal('invalid_request', `${field} is not a parameter of this request.`, { field });
        }
        if (operation.body) validate(operation.body, request.body ?? null);
        else refuseContent(request.body);
        const now = clock();
        const actor = actorOf(caller, request.ip);
        const result = await handle({
          params: request.params as never,
          query: query as never,
          body: request.body as never,
          now,
          caller,
          actor,
          subject,
          role,
          db,
          request,
          reply,
          work: (act) => runWork(db, now, actor, act),
        });
        if (reply.sent) return reply;
        reply.status(operation.status);
        return operation.status === 204 ? null : result;
      },
    });
  }
}

/** `{}` and no body at all are the same to an operation that takes none; a field in it is refused by name. */
function refuseContent(body: unknown): void {
  if (body === undefined || body === null) return;
  const [field] = typeof body === 'object' ? Object.keys(body) : [];
  if (typeof body === 'object' && !Array.isArray(body) && field === undefined) return;
  throw new Refusal(
    'invalid_request',
    field === undefined || Array.isArray(body)
      ? 'This request takes no body.'
      : `${field} is not a field of this request.`,
    field === undefined || Array.isArray(body) ? {} : { field },
  );
}
