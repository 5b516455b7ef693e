// Who a request comes from and what its path names: the questions the HTTP mount asks, answered by the slices.
import { identifyUser } from './accounts/identify.ts';
import type { SignIn } from './accounts/sign-in.ts';
import { hasCapability, roleOf } from './organizations/rights.ts';
import type { Gatekeeper, Located } from './platform/http/mount.ts';
import { isId } from './platform/ids.ts';
import type { Database } from './platform/work.ts';
import { identifyProbe } from './regions/tokens.ts';

export function makeGatekeeper(db: Database, signIn: SignIn): Gatekeeper {
  return {
    identify: (request, audience) =>
      audience === 'probe'
        ? identifyProbe(db, request.headers.authorization)
        : identifyUser(signIn, db, request),
    locate: (subject, params) => LOCATE[subject](db, params),
    roleOf: (orgId, userId) => roleOf(db, orgId, userId),
    hasCapability: (orgId, capability) => hasCapability(db, orgId, capability),
  };
}

type Locate = (db: Database, params: Record<string, string>) => Promise<Located | null>;

/** A malformed id is an unknown resource: it is not even looked up. */
const LOCATE: Record<'organization' | 'project' | 'monitor', Locate> = {
  async organization(db, { org_id: id = '' }) {
    if (!isId('org', id)) return null;
    const row = await db.selectFrom('organizations').select('id').where('id', '=', id).executeTakeFirst();
    return row ? { orgId: row.id, projectId: null, monitorNo: null } : null;
  },
  async project(db, { project_id: id = '' }) {
    if (!isId('prj', id)) return null;
    const row = await db
      .selectFrom('projects')
      .select(['id', 'org_id'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? { orgId: row.org_id, projectId: row.id, monitorNo: null } : null;
  },
  async monitor(db, { monitor_id: id = '' }) {
    if (!isId('mon', id)) return null;
    const row = await db
      .selectFrom('monitors')
      .select(['no', 'org_id', 'project_id'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? { orgId: row.org_id, projectId: row.project_id, monitorNo: row.no } : null;
  },
};
