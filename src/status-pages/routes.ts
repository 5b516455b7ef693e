import { type Route, read, write } from '../platform/http/mount.ts';
import { archiveStatusPage } from './archive.ts';
import * as contract from './contract.ts';
import { createStatusPage } from './create.ts';
import { listStatusPages } from './list.ts';

export const statusPageRoutes: Route[] = [
  read(contract.listStatusPages, ({ db, subject }) => listStatusPages(db, subject.orgId)),
  write(contract.createStatusPage, ({ subject, body }, work) => createStatusPage(work, subject.orgId, body)),
  write(contract.archiveStatusPage, async ({ params }, work) => {
    await archiveStatusPage(work, params.id);
    return undefined;
  }),
];
