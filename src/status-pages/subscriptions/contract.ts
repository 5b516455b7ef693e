// Browser-safe. Subscriptions to a status page by mail (docs/rules/status-pages.md#subscriptions).
import { type Static, Type } from 'typebox';
import { closed, Nullable, operation, pageFields, UnixSeconds } from '#src/platform/contract.ts';
import { StatusPageParams } from '../contract.ts';

export const Subscriber = Type.Object({
  id: Type.String(),
  email: Type.String(),
  language: Type.String(),
  created_at_unix: UnixSeconds(),
  confirmed_at_unix: Nullable(UnixSeconds({ description: 'null: the address was not confirmed yet' })),
  monitors: Nullable(
    Type.Array(Type.String(), { description: 'ids of the chosen monitors; null: everything on the page' }),
  ),
});
export type Subscriber = Static<typeof Subscriber>;

export const listSubscribers = operation({
  id: 'listStatusPageSubscribers',
  method: 'GET',
  path: '/status-pages/{id}/subscribers',
  summary: 'Subscribers of a status page, newest first',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  params: StatusPageParams,
  query: Type.Object(pageFields('id of the last subscriber of the page before'), closed),
  status: 200,
  reply: Type.Array(Subscriber),
});

export const deleteSubscriber = operation({
  id: 'deleteStatusPageSubscriber',
  method: 'DELETE',
  path: '/status-pages/{id}/subscribers/{sub_id}',
  summary: 'Delete a subscriber; nothing of it is left',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  params: Type.Object({ ...StatusPageParams.properties, sub_id: Type.String() }),
  status: 204,
});

export const subscribeToStatusPage = operation({
  id: 'subscribeToStatusPage',
  method: 'POST',
  path: '/public/status-pages/{slug}/subscriptions',
  summary:
    'Ask for mails about incidents and maintenance: the address gets a link to confirm it, whether or not it is known',
  tag: 'Public status pages',
  right: 'public',
  resource: 'none',
  throttled: true,
  params: Type.Object({ slug: Type.String() }),
  body: Type.Object({ email: Type.String({ maxLength: 254 }) }, closed),
  status: 202,
  reply: Type.Object({}),
  refusals: [401, 404, 409],
});
