import { type Route, read, write } from '../platform/http/mount.ts';
import { archiveStatusPage } from './archive.ts';
import * as contract from './contract.ts';
import { createStatusPage } from './create.ts';
import { listStatusPages } from './list.ts';

export const statusPageRoutes: Route[] = [
  // Status pages belong to the whole organization: a narrowed key sees none.
  read(contract.listStatusPages, async ({ db, resource, within }) =>
    within ? [] : listStatusPages(db, resource.orgId),
  ),
  write(contract.createStatusPage, ({ resource, body }, work) =>
    createStatusPage(work, resource.orgId, body),
  ),
  write(contract.archiveStatusPage, async ({ params }, work) => {
    await archiveStatusPage(work, params.id);
    return undefined;
  }),
];
