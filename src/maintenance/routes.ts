import type { MaintenanceScope } from '../domain/names.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { paged } from '../platform/http/page.ts';
import { type Route, read, write } from '../platform/http/route.ts';
import * as contract from './contract.ts';
import { listWindows } from './list.ts';
import { windowOf } from './row.ts';
import { monitorsNamed, refuseOutsideKey } from './validate.ts';
import { createWindow } from './write.ts';
import { cancelInScope, deleteInScope, type Place, updateInScope } from './write-series.ts';

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
  if (stored) refuseOutsideKey(within, stored);
  const ids = idsIn(body);
  if (stored === null || ids !== null)
    refuseOutsideKey(within, {
      monitors: within === null ? [] : await monitorsNamed(db, resource.orgId, ids ?? []),
      tags: [],
    });
};

type OfOne = {
  resource: { orgId: string };
  params: { window_id: string };
  query: { scope?: MaintenanceScope };
  within: ResourceFilter;
};

const placeOf = ({ resource, params, query, within }: OfOne): Place => ({
  orgId: resource.orgId,
  windowId: params.window_id,
  scope: query.scope,
  within,
});

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
    write(contract.updateMaintenance, (call, work) => updateInScope(work, placeOf(call), call.body)),
    write(contract.deleteMaintenance, async (call, work) => {
      await deleteInScope(work, placeOf(call));
      return undefined;
    }),
    write(contract.cancelMaintenance, (call, work) => cancelInScope(work, placeOf(call))),
  ].map((route) => ({ ...route, beforeBody })),
];
