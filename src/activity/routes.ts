import { type Route, read } from '../platform/http/mount.ts';
import { pageLink } from '../platform/http/page-link.ts';
import * as contract from './contract.ts';
import { listActivity } from './list.ts';

export const activityRoutes: Route[] = [
  read(contract.listActivity, async ({ db, subject, query, within, request, reply }) => {
    const limit = query.limit ?? 100;
    const list = await listActivity(db, subject.orgId, { ...query, limit }, within);
    pageLink(request, reply, limit, list.length, list.at(-1)?.id);
    return list;
  }),
];
