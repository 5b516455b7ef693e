import { paged } from '../platform/http/page.ts';
import { type Route, read, write } from '../platform/http/route.ts';
import * as contract from './contract.ts';
import { createProject } from './create.ts';
import { deleteProject } from './delete.ts';
import { listProjects } from './list.ts';
import { renameProject } from './rename.ts';

export const projectRoutes: Route[] = [
  read(contract.listProjects, (call) =>
    paged(
      call,
      (page) => listProjects(call.db, call.resource.orgId, page, call.within),
      ({ id }) => id,
    ),
  ),
  write(contract.createProject, ({ resource, body }, work) => createProject(work, resource.orgId, body.name)),
  write(contract.renameProject, ({ params, body }, work) => renameProject(work, params.project_id, body)),
  write(contract.deleteProject, async ({ params }, work) => {
    await deleteProject(work, params.project_id);
    return undefined;
  }),
];
