import { type Route, read, write } from '../platform/http/mount.ts';
import { paged } from '../platform/http/page.ts';
import { monitorsNamed, refuseOutside } from './admit.ts';
import * as contract from './contract.ts';
import { listWindows } from './list.ts';
import { windowOf } from './row.ts';
import { cancelWindow, createWindow, deleteWindow, updateWindow } from './write.ts';

/** The ids under `monitors` of a body that has not been validated yet. */
function idsIn(body: unknown): string[] | null {
  const { monitors } = (body ?? {}) as { monitors?: unknown };
  if (!Array.isArray(monitors)) return null;
  return monitors
    .map((each: unknown) => (typeof each === 'string' ? each : (each as { id?: unknown } | null)?.id))
    .filter((id) => typeof id === 'string');
}

/** Refuses an unknown window (404), and windows and monitors that a narrowed key does not cover (403). */
const beforeBody: Route['beforeBody'] = async ({ db, resource, params, body, within }) => {
  const { window_id } = params;
  const stored = window_id === undefined ? null : await windowOf(db, resource.orgId, window_id);
  if (stored) refuseOutside(within, stored.monitors);
  const ids = idsIn(body);
  if (stored === null || ids !== null)
    refuseOutside(within, within === null ? [] : await monitorsNamed(db, resource.orgId, ids ?? []));
};

export const maintenanceRoutes: Route[] = [
  read(contract.listMaintenance, (call) => {
    const { db, resource, query, now, within } = call;
    return paged(
      call,
      (page) => listWindows(db, resource.orgId, { state: query.state, now, within, ...page }),
      ({ id }) => id,
    );
  }),
  ...[
    write(contract.createMaintenance, ({ resource, body, within }, work) =>
      createWindow(work, resource.orgId, body, within),
    ),
    write(contract.updateMaintenance, ({ resource, params, body, within }, work) =>
      updateWindow(work, resource.orgId, params.window_id, body, within),
    ),
    write(contract.deleteMaintenance, async ({ resource, params, within }, work) => {
      await deleteWindow(work, resource.orgId, params.window_id, within);
      return undefined;
    }),
    write(contract.cancelMaintenance, ({ resource, params, within }, work) =>
      cancelWindow(work, resource.orgId, params.window_id, within),
    ),
  ].map((route) => ({ ...route, beforeBody })),
];
