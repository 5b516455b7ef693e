// Browser-safe. Notification targets: webhooks, chat and paging (docs/rules/notifications.md#targets). The paths say `/webhooks`.
import { type Static, Type } from 'typebox';
import { EVENT_NAMES, INCIDENT_SEVERITIES, PAGING_REGIONS } from '../domain/names.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Nullable, operation, PageQuery, UnixSeconds } from '../platform/contract.ts';

const TargetParams = Type.Object({ org_id: Type.String(), target_id: Type.String() });
const DeliveryParams = Type.Object({ ...TargetParams.properties, delivery_id: Type.String() });

/** Additive: which incidents it receives (docs/rules/notifications.md#routing). */
const Routing = {
  project_ids: Type.Array(Type.String(), {
    description:
      'additive: only incidents and maintenance of these projects; empty: of all, and what belongs to no monitor',
  }),
  tags: Type.Array(Type.String(), {
    description:
      'additive: only of monitors with any of these tags; empty: of all, and what belongs to no monitor',
  }),
  min_severity: Type.Enum([...INCIDENT_SEVERITIES], {
    description:
      'additive: only incidents at least this severe; a severity_level comes first (sev1 counts as critical, sev2 as default, sev3 as degraded). degraded: all',
  }),
};
/** The most projects and tags of a target. */
export const MAX_FILTER_VALUES = 50;
const ProjectIds = Type.Array(Type.String({ maxLength: 64 }), { maxItems: MAX_FILTER_VALUES });
const FilterTags = Type.Array(Type.String({ maxLength: 200 }), { maxItems: MAX_FILTER_VALUES });

export const WebhookTarget = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  active: Type.Boolean(),
  region: Nullable(Type.String()),
  secret_hint: Type.String(),
  created_at_unix: UnixSeconds(),
  last_delivery_at_unix: Nullable(UnixSeconds()),
  last_delivery_ok: Nullable(Type.Boolean()),
  last_error: Nullable(Type.String()),
  // No delivery has arrived since then. Null: the last one arrived, or only tests have failed.
  failing_since_unix: Nullable(UnixSeconds()),
  ...Routing,
});
export type WebhookTarget = Static<typeof WebhookTarget>;

/** The verb checks the names of events, so that a refusal can say which one is unknown. */
const Events = Type.Array(Type.String({ maxLength: 64 }), { maxItems: EVENT_NAMES.length });
const Url = Type.String({ maxLength: 2048 });
/** Key of a paging provider: visible characters only; the length depends on the kind. */
const Credential = Type.String({ maxLength: 512 });
const Name = Type.String({ maxLength: 200 });

export const listWebhooks = operation({
  id: 'listWebhookTargets',
  method: 'GET',
  path: '/organizations/{org_id}/webhooks',
  summary: 'Webhook targets of an organization',
  tag: 'Webhooks',
  right: 'project_management',
  resource: 'organization',
  scope: 'webhooks:read',
  narrowed: 'filtered',
  params: OrganizationParams,
  query: PageQuery('a target id'),
  status: 200,
  reply: Type.Array(WebhookTarget),
});

export const createWebhook = operation({
  id: 'createWebhookTarget',
  method: 'POST',
  path: '/organizations/{org_id}/webhooks',
  summary: 'Create a webhook target; the signing secret is in this answer and never again',
  tag: 'Webhooks',
  right: 'project_management',
  resource: 'organization',
  scope: 'webhooks:write',
  params: OrganizationParams,
  body: Type.Object(
    {
      name: Name,
      kind: Type.String({ maxLength: 64 }),
      url: Type.Optional(Nullable(Url)),
      events: Events,
      credential: Type.Optional(Nullable(Credential)),
      region: Type.Optional(Nullable(Type.Enum([...PAGING_REGIONS]))),
      active: Type.Optional(Type.Boolean()),
      project_ids: Type.Optional(ProjectIds),
      tags: Type.Optional(FilterTags),
      min_severity: Type.Optional(Routing.min_severity),
    },
    closed,
  ),
  status: 201,
  reply: Type.Object({ ...WebhookTarget.properties, secret: Type.Optional(Type.String()) }),
});

export const updateWebhook = operation({
  id: 'updateWebhookTarget',
  method: 'PATCH',
  path: '/organizations/{org_id}/webhooks/{target_id}',
  summary: 'Change a webhook target; omitted fields keep their value',
  tag: 'Webhooks',
  right: 'project_management',
  resource: 'organization',
  scope: 'webhooks:write',
  params: TargetParams,
  body: Type.Object(
    {
      name: Type.Optional(Nullable(Name)),
      url: Type.Optional(Nullable(Url)),
      events: Type.Optional(Nullable(Events)),
      active: Type.Optional(Nullable(Type.Boolean())),
      credential: Type.Optional(Nullable(Credential)),
      region: Type.Optional(Nullable(Type.String({ maxLength: 16 }))),
      project_ids: Type.Optional(Nullable(ProjectIds)),
      tags: Type.Optional(Nullable(FilterTags)),
      min_severity: Type.Optional(Nullable(Routing.min_severity)),
      // Read-only: accepted with their stored values, so that a client can send back the target it read.
      id: Type.Optional(Type.Unknown()),
      kind: Type.Optional(Type.Unknown()),
      secret_hint: Type.Optional(Type.Unknown()),
      created_at_unix: Type.Optional(Type.Unknown()),
      last_delivery_at_unix: Type.Optional(Type.Unknown()),
      last_delivery_ok: Type.Optional(Type.Unknown()),
      last_error: Type.Optional(Type.Unknown()),
      failing_since_unix: Type.Optional(Type.Unknown()),
    },
    closed,
  ),
  status: 200,
  reply: WebhookTarget,
});

export const deleteWebhook = operation({
  id: 'deleteWebhookTarget',
  method: 'DELETE',
  path: '/organizations/{org_id}/webhooks/{target_id}',
  summary: 'Delete a webhook target; what is still queued for it is dropped',
  tag: 'Webhooks',
  right: 'project_management',
  resource: 'organization',
  scope: 'webhooks:write',
  params: TargetParams,
  status: 204,
});

export const testWebhook = operation({
  id: 'testWebhookTarget',
  method: 'POST',
  path: '/organizations/{org_id}/webhooks/{target_id}/test',
  summary: 'Send a real signed test event now',
  tag: 'Webhooks',
  right: 'project_management',
  resource: 'organization',
  scope: 'webhooks:write',
  params: TargetParams,
  status: 200,
  reply: Type.Object({
    ok: Type.Boolean(),
    status_code: Type.Optional(Type.Integer()),
    latency_ms: Type.Integer(),
    error: Type.Optional(Type.String()),
  }),
});

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  fresh: true,
  method: 'POST',
  path: '/organizations/{org_id}/webhooks/{target_id}/rotate-secret',
  summary: 'Make a new signing secret, shown once; the old one is void at once',
  tag: 'Webhooks',
  right: 'project_management',
  resource: 'organization',
  scope: 'webhooks:write',
  params: TargetParams,
  status: 200,
  reply: Type.Object({ secret: Type.String() }),
  refusals: [400],
});

export const Delivery = Type.Object({
  id: Type.String(),
  event: Type.String(),
  created_at_unix: UnixSeconds(),
  attempts: Type.Integer(),
  ok: Type.Boolean(),
  status_code: Type.Optional(Nullable(Type.Integer())),
  error: Type.Optional(Nullable(Type.String())),
  next_attempt_at_unix: Type.Optional(Nullable(UnixSeconds())),
  // Additive: what it is about, as it was named when the event was rendered.
  about: Type.Object({
    name: Nullable(
      Type.String({
        description: 'the monitor, without one the cause of the incident or the title of the window',
      }),
    ),
    monitor_id: Nullable(Type.String()),
    incident_id: Nullable(Type.String()),
    maintenance_id: Nullable(Type.String()),
  }),
});
export type Delivery = Static<typeof Delivery>;

export const listDeliveries = operation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/organizations/{org_id}/webhooks/{target_id}/deliveries',
  summary: 'Deliveries to a target, newest first',
  tag: 'Webhooks',
  right: 'project_management',
  resource: 'organization',
  scope: 'webhooks:read',
  params: TargetParams,
  query: PageQuery('a delivery id'),
  status: 200,
  reply: Type.Array(Delivery),
});

export const getDelivery = operation({
  id: 'getWebhookDelivery',
  method: 'GET',
  path: '/organizations/{org_id}/webhooks/{target_id}/deliveries/{delivery_id}',
  summary: 'One delivery, with the event it carries',
  tag: 'Webhooks',
  right: 'project_management',
  resource: 'organization',
  scope: 'webhooks:read',
  params: DeliveryParams,
  status: 200,
  reply: Type.Object({
    ...Delivery.properties,
    event_id: Type.String(),
    event_body: Type.String({
      description:
        'the event as it was rendered, as JSON: the exact bytes that a generic webhook gets; messages of chat and paging are made of it',
    }),
  }),
});

export const replayDelivery = operation({
  id: 'replayWebhookDelivery',
  method: 'POST',
  path: '/organizations/{org_id}/webhooks/{target_id}/deliveries/{delivery_id}/replay',
  summary: 'Send a delivery once more with the same event id and body',
  tag: 'Webhooks',
  right: 'project_management',
  resource: 'organization',
  scope: 'webhooks:write',
  params: DeliveryParams,
  status: 202,
  reply: Delivery,
  refusals: [409],
});
