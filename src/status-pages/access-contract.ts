// Browser-safe. Access to status pages that are not public (docs/rules/status-pages.md#access).
import { type Static, Type } from 'typebox';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';
import { StatusPageParams } from './contract.ts';

export const setSharedPassword = operation({
  id: 'setStatusPageSharedPassword',
  method: 'PUT',
  path: '/status-pages/{id}/shared-password',
  summary: 'Set the shared password; every visitor must unlock again',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:write',
  params: StatusPageParams,
  body: Type.Object({ password: Type.String({ minLength: 8, maxLength: 128 }) }, closed),
  status: 204,
});

export const removeSharedPassword = operation({
  id: 'removeStatusPageSharedPassword',
  method: 'DELETE',
  path: '/status-pages/{id}/shared-password',
  summary: 'Remove the shared password; a page that it protects returns to draft',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:write',
  params: StatusPageParams,
  status: 204,
});

export const rotateSharedPassword = operation({
  id: 'rotateStatusPageSharedPassword',
  method: 'POST',
  path: '/status-pages/{id}/shared-password/rotate',
  summary: 'Make a new shared password, returned once; every visitor must unlock again',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:write',
  params: StatusPageParams,
  status: 200,
  reply: Type.Object({ password: Type.String() }),
});

export const Viewer = Type.Object({
  id: Type.String(),
  username: Type.String(),
  email: Type.String(),
  created_at_unix: UnixSeconds(),
  last_login_at_unix: Nullable(UnixSeconds({ description: 'null: never' })),
});
export type Viewer = Static<typeof Viewer>;

export const listViewers = operation({
  id: 'listStatusPageViewers',
  method: 'GET',
  path: '/status-pages/{id}/viewers',
  summary: 'Viewer accounts of a status page',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  params: StatusPageParams,
  status: 200,
  reply: Type.Array(Viewer),
});

export const createViewer = operation({
  id: 'createStatusPageViewer',
  method: 'POST',
  path: '/status-pages/{id}/viewers',
  summary:
    'Create a viewer account. Without a password the viewer is invited by mail; where no mail can be sent, the answer has a password, once',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  params: StatusPageParams,
  body: Type.Object(
    {
      username: Type.String({ maxLength: 200 }),
      email: Type.String({ maxLength: 254 }),
      password: Type.Optional(Nullable(Type.String({ minLength: 8, maxLength: 128 }))),
    },
    closed,
  ),
  status: 201,
  reply: Type.Object({
    ...Viewer.properties,
    password: Type.Optional(Type.String({ description: 'made by the server, shown once' })),
  }),
  refusals: [409, 429],
});

export const deleteViewer = operation({
  id: 'deleteStatusPageViewer',
  method: 'DELETE',
  path: '/status-pages/{id}/viewers/{viewer_id}',
  summary: 'Delete a viewer account; its sessions end',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  params: Type.Object({ ...StatusPageParams.properties, viewer_id: Type.String() }),
  status: 204,
});
