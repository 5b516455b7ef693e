import { type Route, raw, read, write } from '#src/platform/http/route.ts';
import * as contract from '../access-contract.ts';
import { deleteViewer } from './delete.ts';
import { addViewer, type ViewerMailOptions } from './invite.ts';
import { findViewer, listViewers } from './list.ts';

/** Viewer accounts of status pages. */
export const viewerRoutes = (options: ViewerMailOptions): Route[] => [
  read(contract.listViewers, ({ db, params }) => listViewers(db, params.id)),
  raw(contract.createViewer, (call) => addViewer(call, options)),
  {
    ...write(contract.deleteViewer, async ({ params }, work) => {
      await deleteViewer(work, params.id, params.viewer_id);
      return undefined;
    }),
    beforeBody: ({ db, params }) => findViewer(db, params.id ?? '', params.viewer_id ?? ''),
  },
];
