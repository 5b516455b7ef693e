// Browser-safe. API keys (docs/rules/access.md#api-keys). Managed by people in a session only.
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Nullable, operation, PageQuery, UnixSeconds } from '../platform/contract.ts';

export const KeyParams = Type.Object({ org_id: Type.String(), key_id: Type.String() });

export const SCOPE_RESOURCES = [
  'organization',
  'projects',
  'monitors',
  'incidents',
  'maintenance',
  'on-call',
  'status-pages',
  'webhooks',
  'agents',
] as const;
export const SCOPES = SCOPE_RESOURCES.flatMap((resource) => [
  `${resource}:read` as const,
  `${resource}:write` as const,
]);

export const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'its first 8 characters: all that is kept to recognize it by' }),
  scopes: Type.Array(Type.String()),
  project_ids: Nullable(Type.Array(Type.String())),
  monitor_ids: Nullable(Type.Array(Type.String())),
  created_at_unix: UnixSeconds(),
  created_by_name: Nullable(Type.String()),
  created_by_user_id: Nullable(
    Type.String({ description: 'additive: null once the account of whoever made it is deleted' }),
  ),
  created_by_gone: Type.Boolean({
    description:
      'additive: whoever made it is no member any more; the key goes on working until it is revoked',
  }),
  expires_at_unix: Nullable(UnixSeconds()),
  last_used_at_unix: Nullable(UnixSeconds({ description: 'exact to a minute' })),
});
export type ApiKey = Static<typeof ApiKey>;

const Ids = Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 1000 });

const ofKeys = { tag: 'API keys', right: 'admin', resource: 'organization' } as const;

export const listApiKeys = operation({
  ...ofKeys,
  id: 'listApiKeys',
  method: 'GET',
  path: '/organizations/{org_id}/api-keys',
  summary: 'API keys of an organization, newest first',
  params: OrganizationParams,
  query: PageQuery('a key id'),
  status: 200,
  reply: Type.Array(ApiKey),
});

export const createApiKey = operation({
  ...ofKeys,
  id: 'createApiKey',
  fresh: true,
  method: 'POST',
  path: '/organizations/{org_id}/api-keys',
  summary: 'Make an API key, shown this once',
  params: OrganizationParams,
  body: Type.Object(
    {
      name: Type.String({ maxLength: 200 }),
      scopes: Type.Array(Type.Enum(SCOPES), { minItems: 1, maxItems: 18 }),
      project_ids: Type.Optional(Nullable(Ids)),
      monitor_ids: Type.Optional(Nullable(Ids)),
      expires_at_unix: Type.Optional(Nullable(UnixSeconds())),
    },
    closed,
  ),
  status: 201,
  refusals: [409],
  reply: Type.Object({ ...ApiKey.properties, key: Type.String() }),
});

export const revokeApiKey = operation({
  ...ofKeys,
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/organizations/{org_id}/api-keys/{key_id}',
  summary: 'Revoke an API key: it is void at once, on every server',
  params: KeyParams,
  status: 204,
});
