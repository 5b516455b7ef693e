import { hasRight } from '../platform/http/authorize.ts';
import type { Authorized } from '../platform/http/caller.ts';
import { pagedWritten } from '../platform/http/page.ts';
import { type Route, readWritten, write } from '../platform/http/route.ts';
import { announceChange } from './alarm-holds.ts';
import { changeMonitors } from './all/change.ts';
import * as all from './all/contract.ts';
import { listAllMonitors, listedMonitors } from './all/list.ts';
import { cloneMonitor } from './clone/clone.ts';
import * as clone from './clone/contract.ts';
import * as contract from './contract.ts';
import { createMonitor } from './create.ts';
import { deleteMonitor } from './delete.ts';
import { refuseRegionsBeyondPlan } from './entitlements.ts';
import { getMonitor, listMonitors, monitorsShownTo } from './list.ts';
import * as many from './many/contract.ts';
import { createMonitors } from './many/create-many.ts';
import type { ShownAt } from './row.ts';
import { updateMonitor } from './update.ts';
import { type MonitorOptions, refuseDuplicateName } from './validate.ts';
import { viewRoutes } from './views/routes.ts';

/** The plan's refusals, with 402. */
const beforeBody: Route['beforeBody'] = ({ db, resource, body }) =>
  refuseRegionsBeyondPlan(db, { orgId: resource.orgId, monitorId: resource.monitorId, body });

export function monitorRoutes(options: MonitorOptions & ShownAt): Route[] {
  const toReaders = monitorsShownTo({ mayWrite: false }, options);
  const toWriters = monitorsShownTo({ mayWrite: true }, options);
  const listed = listedMonitors();
  const shownTo = (call: Pick<Authorized, 'caller' | 'role'> & { now: Date }) => ({
    monitors: hasRight(contract.updateMonitor, call) ? toWriters : toReaders,
    now: call.now,
  });
  return [
    ...viewRoutes,
    readWritten(contract.listMonitors, (call) =>
      pagedWritten(call, (page) => {
        const project = { orgId: call.resource.orgId, projectId: call.params.project_id };
        return listMonitors(call.db, project, page, call.within, shownTo(call));
      }),
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
    readWritten(contract.getMonitor, async (call) => {
      const monitor = { orgId: call.resource.orgId, monitorId: call.params.monitor_id };
      return (await getMonitor(call.db, monitor, shownTo(call))).json;
    }),
    {
      ...write(contract.updateMonitor, ({ params, within, body }, work) =>
        updateMonitor(work, params.monitor_id, body, options, within),
      ),
      beforeBody,
    },
    readWritten(all.listAllMonitors, (call) => {
      const { limit: _limit, before: _before, ...filters } = call.query;
      const shown = { monitors: listed, now: call.now };
      return pagedWritten(call, (page) =>
        listAllMonitors(call.db, call.resource.orgId, page, filters, call.within, shown),
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
