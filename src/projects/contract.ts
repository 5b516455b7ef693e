// Browser-safe. Projects (docs/rules/access.md#projects).
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, operation, PageQuery } from '../platform/contract.ts';

export const ProjectParams = Type.Object({ project_id: Type.String() });

export const Project = Type.Object({
  id: Type.String(),
  name: Type.String(),
  organization_id: Type.String(),
  slug: Type.String(),
});
export type Project = Static<typeof Project>;

const Name = Type.String({ maxLength: 200 });

export const listProjects = operation({
  id: 'listProjects',
  method: 'GET',
  path: '/organizations/{org_id}/projects',
  summary: 'Projects of an organization',
  tag: 'Projects',
  right: 'member',
  resource: 'organization',
  scope: 'projects:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  query: PageQuery('a project id'),
  status: 200,
  reply: Type.Array(Project),
});

export const createProject = operation({
  id: 'createProject',
  method: 'POST',
  path: '/organizations/{org_id}/projects',
  summary: 'Create a project',
  tag: 'Projects',
  right: 'project_management',
  resource: 'organization',
  scope: 'projects:write',
  params: OrganizationParams,
  body: Type.Object({ name: Name }, closed),
  status: 201,
  reply: Project,
  refusals: [409],
});

export const renameProject = operation({
  id: 'renameProject',
  method: 'PATCH',
  path: '/projects/{project_id}',
  summary: 'Rename a project; its slug stays',
  tag: 'Projects',
  right: 'project_management',
  resource: 'project',
  scope: 'projects:write',
  params: ProjectParams,
  body: Type.Object(
    {
      name: Name,
      // Read-only: accepted with the value they have, so that what was read can be sent back.
      id: Type.Optional(Type.String()),
      slug: Type.Optional(Type.String()),
      organization_id: Type.Optional(Type.String()),
    },
    closed,
  ),
  status: 200,
  reply: Project,
});

export const deleteProject = operation({
  id: 'deleteProject',
  method: 'DELETE',
  path: '/projects/{project_id}',
  summary: 'Delete an empty project',
  tag: 'Projects',
  right: 'project_management',
  resource: 'project',
  scope: 'projects:write',
  params: ProjectParams,
  status: 204,
  refusals: [409],
});
