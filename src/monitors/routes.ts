import { type Route, read, write } from '../platform/http/mount.ts';
import { pageLink } from '../platform/http/page-link.ts';
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
    read(contract.listMonitors, async ({ db, params, query, within, request, reply }) => {
      const limit = query.limit ?? 100;
      const page = { limit, before: query.before ?? null };
      const list = await listMonitors(db, params.project_id, page, within);
      pageLink(request, reply, limit, list.length, list.at(-1)?.id);
      return list;
    }),
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
