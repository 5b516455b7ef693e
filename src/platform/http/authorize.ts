// Decides who may call, before the body is read: 401, 404, 403, 402, in this order
// (docs/rules/errors-and-conventions.md#order-of-refusals).
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { Role } from '#src/domain/names.ts';
import type { Operation, Right } from '../contract.ts';
import { Refusal, refuse } from '../refusals.ts';
import type { Audience, Authorized, Authorizer, Caller, Located, RequestIdentity } from './caller.ts';

/** Whether a request carries a Bearer credential; a proxy's own Basic credential is not ours to judge. */
export function isBearer(authorization: string | undefined): boolean {
  return authorization !== undefined && /^bearer\b/i.test(authorization.trim());
}

/** The roles that hold each right. */
const ROLES_OF: Partial<Record<Right, readonly Role[]>> = {
  member: ['owner', 'admin', 'manager', 'member'],
  project_management: ['owner', 'admin', 'manager'],
  member_management: ['owner', 'admin'],
  admin: ['owner', 'admin'],
  owner: ['owner'],
};

/** Whether a role holds the right of an operation. A viewer reads what any member reads, and writes what is their own. */
function holds({ right, method, viewers }: Holding, role: Role): boolean {
  if (role === 'viewer') return right === 'member' && (method === 'GET' || viewers === true);
  return ROLES_OF[right]?.includes(role) === true;
}

type Holding = Pick<Operation, 'right' | 'method' | 'viewers'>;

const NOWHERE: Located = { orgId: '', projectId: null, monitorNo: null, monitorId: null };
const UNAUTHENTICATED = 'Sign in, or send a valid credential.';

/**
 * Lets a request in or refuses it, as its operation declares. If a member lacks the right or the plan, `childOf` runs
 * first, so that an unknown child in the path is a 404 before the 403 or 402. `seen` collects the caller and the
 * resource for the log of refusals.
 */
export async function authorize(
  operation: Operation,
  request: FastifyRequest,
  authorizer: Authorizer,
  childOf: (authorized: Authorized) => Promise<unknown> = async () => undefined,
  seen: RequestIdentity = { caller: null, resource: null },
): Promise<Authorized> {
  if (operation.right === 'public') return { caller: null, resource: NOWHERE, role: null };
  const caller = await identified(operation, request, authorizer);
  seen.caller = caller;
  const params = request.params as Record<string, string>;
  const resource =
    operation.resource === 'none' ? NOWHERE : await authorizer.locate(operation.resource, params);
  if (!resource) throw missing(operation);
  seen.resource = resource;
  const role =
    caller.kind === 'user'
      ? await roleOf(operation, caller, resource, authorizer, params)
      : refuseForeignKey(operation, caller, resource);
  const authorized = { caller, resource, role };
  try {
    if (caller.kind === 'user') authorizeRole(operation, caller, role, params);
    else await authorizeKey(operation, caller, resource, authorizer);
    await authorizePlan(operation, resource, authorizer);
    if (operation.fresh === true && caller.kind === 'user') authorizer.refuseStale(caller);
  } catch (refusal) {
    await childOf(authorized);
    throw refusal;
  }
  return authorized;
}

const missing = ({ resource }: Operation): Refusal =>
  new Refusal('not_found', `There is no such ${resource.replace('_', ' ')}.`);

async function authorizePlan(
  { capability }: Operation,
  resource: Located,
  authorizer: Authorizer,
): Promise<void> {
  if (capability && !(await authorizer.hasCapability(resource.orgId, capability)))
    refuse('plan_capability', `The organization's plan does not include ${capability}.`, {
      field: capability,
    });
}

async function identified(
  operation: Operation,
  request: FastifyRequest,
  authorizer: Authorizer,
): Promise<Caller> {
  const audience = audienceOf(operation);
  if (audience === 'user' && isBearer(request.headers.authorization) && operation.scope === undefined)
    refuse('key_not_accepted', 'This operation needs a signed-in session; API keys are not accepted here.');
  const caller = await authorizer.identify(request, audience);
  if (!caller || audienceOfCaller(caller) !== audience) refuse('unauthenticated', UNAUTHENTICATED);
  return caller;
}

/** Probes, agents and walls have credentials of their own kind; everything else is for people and their keys. */
export function audienceOf({ right }: Pick<Operation, 'right'>): Audience {
  return right === 'probe' || right === 'agent' || right === 'wall' ? right : 'user';
}

/** The part of an operation that rate-limits.ts counts, and the name under which refused.ts counts it. */
export function limitedBy({ id, right, scope, throttled = false }: Operation): FastifyContextConfig {
  const audience = audienceOf({ right });
  const bearer = audience !== 'user' ? audience : scope === undefined ? null : 'key';
  const session = audience === 'user' && right !== 'public';
  return { operation: id, throttled, session, ...(bearer ? { bearer } : {}) };
}

const audienceOfCaller = ({ kind }: Caller): Audience => (kind === 'user' || kind === 'key' ? 'user' : kind);

/** The caller's role; null if the path names no organization. Throws 403 for non-members and non-operators. */
async function roleOf(
  operation: Operation,
  caller: Extract<Caller, { kind: 'user' }>,
  resource: Located,
  authorizer: Authorizer,
  params: Record<string, string>,
): Promise<Role | null> {
  const { right, resource: kind } = operation;
  if (right === 'operator') {
    if (!caller.operator) refuse('forbidden', 'Only the operator of this installation may do this.');
    return null;
  }
  if (kind === 'none') return null;
  const role = await authorizer.roleOf(resource.orgId, caller.userId);
  if (role !== null) return role;
  // An organization that was deleted between the two looks took its members with it.
  if (!(await authorizer.locate(kind, params))) throw missing(operation);
  return refuse('forbidden', 'You are not a member of the organization this belongs to.');
}

function authorizeRole(
  operation: Operation,
  caller: Extract<Caller, { kind: 'user' }>,
  role: Role | null,
  params: Record<string, string>,
): void {
  if (role === null) return;
  const { orSelf } = operation;
  const self = orSelf !== undefined && params[orSelf] === caller.userId;
  if (!self && !holds(operation, role)) refuse('forbidden', `Your role (${role}) may not do this.`);
}

/** Whether a caller let in to one operation has the role or scope of another operation on the same resource. */
export function hasRight(
  operation: Holding & Pick<Operation, 'scope'>,
  { caller, role }: Pick<Authorized, 'caller' | 'role'>,
): boolean {
  const { scope } = operation;
  if (caller?.kind === 'key') return scope !== undefined && hasScope(caller.scopes, scope);
  return role !== null && holds(operation, role);
}

function refuseForeignKey(
  operation: Operation,
  caller: Exclude<Caller, { kind: 'user' }>,
  resource: Located,
): null {
  if (caller.kind === 'key' && operation.resource !== 'none' && resource.orgId !== caller.orgId)
    refuse('forbidden', 'This key belongs to another organization.');
  return null;
}

/** A key has no role: its scopes say what it may do, its narrowing says where. Probes and agents have no resource. */
async function authorizeKey(
  operation: Operation,
  caller: Exclude<Caller, { kind: 'user' }>,
  resource: Located,
  authorizer: Authorizer,
): Promise<void> {
  if (caller.kind !== 'key') return;
  const { scope } = operation;
  if (!scope || !hasScope(caller.scopes, scope)) refuse('forbidden', `This key lacks the scope ${scope}.`);
  if (caller.within && !(await liesWithin(operation, caller.within, resource, authorizer)))
    refuse('forbidden', 'This key is narrowed to other projects or monitors.');
}

/** `resource:write` implies `resource:read` (docs/rules/access.md#scopes). */
function hasScope(scopes: readonly string[], needed: string): boolean {
  return scopes.includes(needed) || scopes.includes(needed.replace(/:read$/, ':write'));
}

async function liesWithin(
  operation: Operation,
  { projectIds, monitorIds }: NonNullable<Extract<Caller, { kind: 'key' }>['within']>,
  { projectId, monitorId }: Located,
  authorizer: Authorizer,
): Promise<boolean> {
  if (operation.resource === 'none') return true;
  if (operation.resource === 'organization') return operation.narrowed === 'filtered';
  if (projectId !== null && projectIds.includes(projectId)) return true;
  if (operation.resource === 'monitor') return monitorId !== null && monitorIds.includes(monitorId);
  // A key that may see a monitor may read its project, but not change it.
  return operation.method === 'GET' && projectId !== null && authorizer.projectHolds(projectId, monitorIds);
}
