import { type Call, type Route, read, write } from '../platform/http/mount.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { getAlarmPlan } from './alarm-plan.ts';
import * as planned from './alarm-plan-contract.ts';
import * as contract from './contract.ts';
import { getDuty, listShifts } from './duty.ts';
import { type Asking, createOverride, deleteOverride, findOverride, listOverrides } from './overrides.ts';
import * as overridden from './overrides-contract.ts';
import { previewChain } from './preview.ts';
import { listRinging } from './ringing.ts';
import { getRoster, putRoster } from './roster.ts';
import { getSettings, putSettings } from './settings.ts';

export type OnCallRoutesOptions = {
  /** Whether this installation has a mail server. */
  mail: boolean;
};

/** Keys with the scope act for the organization, as admins do. */
const askingOf = ({ caller, role }: Pick<Call<unknown>, 'caller' | 'role'>): Asking =>
  caller?.kind === 'user'
    ? { userId: caller.userId, isAdmin: role === 'owner' || role === 'admin' }
    : { userId: null, isAdmin: true };

export const onCallRoutes = ({ mail }: OnCallRoutesOptions): Route[] => [
  read(contract.getOnCallSettings, ({ db, resource, now }) => getSettings(db, resource.orgId, now)),
  write(contract.putOnCallSettings, ({ resource, body }, work) => putSettings(work, resource.orgId, body)),
  read(contract.getRoster, ({ db, resource, now }) => getRoster(db, resource.orgId, now)),
  write(contract.putRoster, ({ resource, body }, work) => putRoster(work, resource.orgId, body.members)),
  read(contract.getDuty, ({ db, resource, now }) => getDuty(db, resource.orgId, now)),
  read(contract.listShifts, ({ db, resource, now, query }) =>
    listShifts(db, resource.orgId, now, query.weeks),
  ),
  read(contract.previewChain, ({ db, resource, now }) => previewChain(db, resource.orgId, now)),
  read(planned.getAlarmPlan, ({ db, resource, now }) =>
    getAlarmPlan(db, { orgId: resource.orgId, monitorNo: null, mail }, now),
  ),
  read(planned.getMonitorAlarmPlan, ({ db, resource, now }) =>
    getAlarmPlan(db, { orgId: resource.orgId, monitorNo: resource.monitorNo, mail }, now),
  ),
  read(overridden.listOverrides, ({ db, resource, now }) => listOverrides(db, resource.orgId, now)),
  write(overridden.createOverride, ({ resource, body, caller, role }, work) =>
    createOverride(work, resource.orgId, body, askingOf({ caller, role })),
  ),
  {
    ...write(overridden.deleteOverride, async ({ resource, params, caller, role }, work) => {
      await deleteOverride(work, resource.orgId, params.override_id, askingOf({ caller, role }));
      return undefined;
    }),
    beforeBody: async ({ db, resource, params }) =>
      (await findOverride(db, resource.orgId, params.override_id ?? '')) ?? notFound('override'),
  },
  read(contract.listRinging, async ({ db, resource, now, caller }) =>
    caller?.kind === 'user'
      ? listRinging(db, resource.orgId, caller.userId, now)
      : refuse('unauthenticated', 'Sign in to see what rings for you.'),
  ),
];
