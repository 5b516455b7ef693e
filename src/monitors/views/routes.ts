import { personOf } from '#src/platform/http/actor.ts';
import { type Call, type Route, read, write } from '#src/platform/http/route.ts';
import * as contract from './contract.ts';
import { createView, deleteView, listViews, refuseUnknown, updateView, type ViewOwner } from './views.ts';

/** Keys have no views, because views belong to people. */
const whoseOf = ({ caller, resource }: Pick<Call<unknown>, 'caller' | 'resource'>): ViewOwner => ({
  orgId: resource.orgId,
  userId: personOf(caller),
});

/** 404 if the organization has no such view; the verb checks its owner. */
const beforeBody: Route['beforeBody'] = ({ db, resource, params }) =>
  refuseUnknown(db, resource.orgId, params.view_id ?? '');

export const viewRoutes: Route[] = [
  read(contract.listMonitorViews, (call) => listViews(call.db, whoseOf(call))),
  write(contract.createMonitorView, (call, work) => createView(work, whoseOf(call), call.body)),
  {
    ...write(contract.updateMonitorView, (call, work) =>
      updateView(work, whoseOf(call), call.params.view_id, call.body),
    ),
    beforeBody,
  },
  {
    ...write(contract.deleteMonitorView, async (call, work) => {
      await deleteView(work, whoseOf(call), call.params.view_id);
      return undefined;
    }),
    beforeBody,
  },
];
