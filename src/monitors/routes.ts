import { type Route, read, write } from '../platform/http/mount.ts';
import { paged } from '../platform/http/page.ts';
import { admitRegionCount } from './admission.ts';
import * as contract from './contract.ts';
import { createMonitor, type MonitorOptions } from './create.ts';
import { deleteMonitor } from './delete.ts';
import { getMonitor, listMonitors } from './list.ts';
import { updateMonitor } from './update.ts';

/** 402 of the plan. */
const beforeBody: Route['beforeBody'] = ({ db, subject, body }) =>
  admitRegionCount(db, { orgId: subject.orgId, monitorId: subject.monitorId, body });

export function monitorRoutes(options: MonitorOptions): Route[] {
  return [
    read(contract.listMonitors, (call) =>
      paged(
        call,
        (page) => listMonitors(call.db, call.params.project_id, page, call.within),
        ({ id }) => id,
      ),
    ),
    {
      ...write(contract.createMonitor, ({ params, subject, body }, work) =>
        createMonitor(work, { orgId: subject.orgId, projectId: params.project_id }, body, options),
      ),
      beforeBody,
    },
    read(contract.getMonitor, ({ db, params }) => getMonitor(db, params.monitor_id)),
    {
      ...write(contract.updateMonitor, ({ params, body }, work) =>
        updateMonitor(work, params.monitor_id, body, options),
      ),
      beforeBody,
    },
    write(contract.deleteMonitor, async ({ params }, work) => {
      await deleteMonitor(work, params.monitor_id);
      return undefined;
    }),
  ];
}
