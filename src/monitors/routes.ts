import { hasRight } from '../platform/http/authorize.ts';
import type { Authorized } from '../platform/http/caller.ts';
import { type Route, read, write } from '../platform/http/mount.ts';
import { paged } from '../platform/http/page.ts';
import { announceChange } from './alarm-holds.ts';
import { changeMonitors } from './all/change.ts';
import * as all from './all/contract.ts';
import { listAllMonitors } from './all/list.ts';
import { cloneMonitor } from './clone/clone.ts';
import * as clone from './clone/contract.ts';
import * as contract from './contract.ts';
import { createMonitor } from './create.ts';
import { deleteMonitor } from './delete.ts';
import { refuseRegionsBeyondPlan } from './entitlements.ts';
import { getMonitor, listMonitors } from './list.ts';
import * as many from './many/contract.ts';
import { createMonitors } from './many/create-many.ts';
import type { Reader, ShownAt } from './row.ts';
import { updateMonitor } from './update.ts';
import { type MonitorOptions, refuseDuplicateName } from './validate.ts';
import { viewRoutes } from './views/routes.ts';

/** 402 of the plan. */
const beforeBody: Route['beforeBody'] = ({ db, resource, body }) =>
  refuseRegionsBeyondPlan(db, { orgId: resource.orgId, monitorId: resource.monitorId, body });

const readerOf = (call: Pick<Authorized, 'caller' | 'role'>): Reader => ({
  mayWrite: hasRight(contract.updateMonitor, call),
});

export function monitorRoutes(options: MonitorOptions & ShownAt): Route[] {
  return [
    ...viewRoutes,
    read(contract.listMonitors, (call) =>
      paged(
        call,
        (page) =>
          listMonitors(
            call.db,
            call.params.project_id,
            page,
            call.within,
            { ...options, ...readerOf(call) },
            call.now,
          ),
        ({ id }) => id,
      ),
    ),
    {
      ...write(
        contract.createMonitor,
        ({ params, resource, within, body }, work) =>
          createMonitor(work, { orgId: resource.orgId, projectId: params.project_id, within }, body, options),
        { keepPlans: true },
      ),
      beforeBody,
    },
    write(
      many.createMonitors,
      ({ params, resource, within, body }, work) =>
        // A monitor may be renamed, or moved here, at the same moment.
        createMonitors(
          work,
          { orgId: resource.orgId, projectId: params.project_id, within },
          body,
          options,
        ).catch(refuseDuplicateName),
      { keepPlans: true },
    ),
    read(contract.getMonitor, (call) =>
      getMonitor(call.db, call.params.monitor_id, { ...options, ...readerOf(call) }, call.now),
    ),
    {
      ...write(contract.updateMonitor, ({ params, within, body }, work) =>
        updateMonitor(work, params.monitor_id, body, options, within),
      ),
      beforeBody,
    },
    read(all.listAllMonitors, (call) => {
      const { limit: _limit, before: _before, ...filters } = call.query;
      return paged(
        call,
        (page) => listAllMonitors(call.db, call.resource.orgId, page, filters, call.within, call.now),
        ({ id }) => id,
      );
    }),
    write(all.changeMonitors, ({ resource, body, within }, work) =>
      // A monitor of the destination may be given the same name at the same moment.
      changeMonitors(work, resource.orgId, body, options, within).catch(refuseDuplicateName),
    ),
    write(clone.cloneMonitor, ({ params, body, within }, work) =>
      cloneMonitor(work, params.monitor_id, body, options, within),
    ),
    write(contract.announceChange, ({ params, body }, work) => announceChange(work, params.monitor_id, body)),
    write(contract.deleteMonitor, async ({ params }, work) => {
      await deleteMonitor(work, params.monitor_id, options);
      return undefined;
    }),
  ];
}
