import { listPlans } from '../plans/plan.ts';
import { setPlan } from '../plans/set-plan.ts';
import { paged } from '../platform/http/page.ts';
import { type Route, read, write } from '../platform/http/route.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import * as contract from './contract.ts';
import { getAdministered, listAdministered } from './organizations.ts';

/** Routes by which the operator manages organizations. */
export const operatorRoutes: Route[] = [
  read(contract.listAllOrganizations, (call) =>
    paged(
      call,
      (page) => listAdministered(call.db, page),
      ({ id }) => id,
    ),
  ),
  write(contract.setOrganizationPlan, async ({ resource, body }, work) => {
    // The organization's log names the operator, whatever role that person has there.
    const { plan, ...readOnly } = body;
    refuseChangedReadOnly(readOnly, await getAdministered(work.tx, resource.orgId));
    await setPlan({ ...work, actor: { ...work.actor, kind: 'operator' } }, resource.orgId, plan);
    return getAdministered(work.tx, resource.orgId);
  }),
  read(contract.listPlans, ({ db }) => listPlans(db)),
];
