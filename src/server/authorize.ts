// Answers the HTTP mount's questions from the slices: who calls, and which resource the path names.
import { sql } from 'kysely';
import { identifyUser } from '../accounts/identify.ts';
import { refuseStale } from '../accounts/session-limits.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import type { IdentifyAgent } from '../agents/credentials.ts';
import { identifyKey } from '../api-keys/identify.ts';
import type { FirstOwnerOf } from '../organizations/first-owner.ts';
import { hasCapability, roleOf } from '../organizations/rights.ts';
import type { Resource } from '../platform/contract.ts';
import { isBearer } from '../platform/http/authorize.ts';
import type { Authorizer, Located, User } from '../platform/http/caller.ts';
import { isId } from '../platform/ids.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { identifyProbe } from '../regions/tokens.ts';
import { identifyWall } from '../walls/identify.ts';

export type AuthorizerOptions = {
  db: Database;
  /** null: no people sign in at this server. */
  signIn: SignIn | null;
  clock: () => Date;
  firstOwnerOf: FirstOwnerOf;
  identifyAgent: IdentifyAgent;
};

export function makeAuthorizer(options: AuthorizerOptions): Authorizer {
  const { db, signIn, clock, firstOwnerOf, identifyAgent } = options;
  return {
    identify(request, audience) {
      const { authorization } = request.headers;
      if (audience === 'probe') return identifyProbe(db, authorization);
      if (audience === 'agent') return identifyAgent(db, authorization);
      if (audience === 'wall') return identifyWall(db, authorization, clock());
      // A request that carries a Bearer credential never falls back to the cookie (docs/rules/access.md).
      if (isBearer(authorization)) return identifyKey(db, authorization, clock());
      return signIn === null ? Promise.resolve(null) : identifyUser(signIn, db, request);
    },
    locate: (resource, params) => LOCATE[resource](db, params),
    roleOf: (orgId, userId) => roleOf(db, orgId, userId),
    hasCapability: (orgId, capability) => hasCapability(db, orgId, capability),
    async tenantOf(caller, named) {
      if (caller === null || caller.kind === 'probe') return null;
      // Apart from its people: a thousand hosts that come back must not stand before them in their own queue.
      if (caller.kind === 'agent')
        return { id: `agents of ${caller.orgId}`, owner: await firstOwnerOf(caller.orgId, clock()) };
      const orgId = named || (caller.kind === 'user' ? '' : caller.orgId);
      if (orgId !== '') return { id: orgId, owner: await firstOwnerOf(orgId, clock()) };
      const { userId } = caller as User;
      return { id: userId, owner: userId };
    },
    refuseStale: (caller) => refuseStale(caller.authenticatedAt, clock()),
    async holdSession({ tx }, sessionId) {
      const { rows } = await sql`SELECT FROM sessions WHERE id = ${sessionId} FOR SHARE`.execute(tx);
      if (rows.length === 0) refuse('unauthenticated', 'This session was ended just now. Sign in again.');
    },
    projectHolds: (projectId, monitorIds) => projectHolds(db, projectId, monitorIds),
  };
}

type Locate = (db: Database, params: Record<string, string>) => Promise<Located | null>;

/** A malformed id is an unknown resource and is not looked up. */
const LOCATE: Record<Exclude<Resource, 'none'>, Locate> = {
  async organization(db, { org_id: id = '' }) {
    if (!isId('org', id)) return null;
    const row = await db.selectFrom('organizations').select('id').where('id', '=', id).executeTakeFirst();
    return row ? { orgId: row.id, projectId: null, monitorNo: null, monitorId: null } : null;
  },
  async project(db, { project_id: id = '' }) {
    if (!isId('prj', id)) return null;
    const row = await db
      .selectFrom('projects')
      .select(['id', 'org_id'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? { orgId: row.org_id, projectId: row.id, monitorNo: null, monitorId: null } : null;
  },
  async monitor(db, { monitor_id: id = '' }) {
    if (!isId('mon', id)) return null;
    const row = await db
      .selectFrom('monitors')
      .select(['no', 'org_id', 'project_id'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? { orgId: row.org_id, projectId: row.project_id, monitorNo: row.no, monitorId: id } : null;
  },
  // It belongs to no project or monitor, so no narrowed key reaches it.
  async alert_profile(db, { profile_id: id = '' }) {
    if (!isId('alp', id)) return null;
    const row = await db
      .selectFrom('alert_profiles')
      .select('org_id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? { orgId: row.org_id, projectId: null, monitorNo: null, monitorId: null } : null;
  },
  async status_page(db, { id = '' }) {
    if (!isId('stp', id)) return null;
    const row = await db
      .selectFrom('status_pages')
      .select('org_id')
      .where('id', '=', id)
      .where('archived_at', 'is', null)
      .executeTakeFirst();
    return row ? { orgId: row.org_id, projectId: null, monitorNo: null, monitorId: null } : null;
  },
};

async function projectHolds(
  db: Database,
  projectId: string,
  monitorIds: readonly string[],
): Promise<boolean> {
  if (monitorIds.length === 0) return false;
  const row = await db
    .selectFrom('monitors')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', [...monitorIds])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
