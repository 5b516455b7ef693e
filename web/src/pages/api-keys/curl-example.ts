// A first request that a new key is allowed to make.

import type { createApiKey } from '#src/api-keys/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { grantsOf } from './scopes.ts';

type Made = Pick<ReplyOf<typeof createApiKey>, 'key' | 'scopes' | 'project_ids' | 'monitor_ids'>;

function pathFor({ scopes, project_ids, monitor_ids }: Made, orgId: string): string | null {
  const may = new Set(grantsOf(scopes).map((grant) => grant.resource));
  const [monitor] = monitor_ids ?? [];
  const [project] = project_ids ?? [];
  if (may.has('monitors') && monitor !== undefined) return `/monitors/${monitor}`;
  if (may.has('monitors') && project !== undefined) return `/projects/${project}/monitors`;
  if (may.has('projects')) return `/organizations/${orgId}/projects`;
  if (may.has('incidents')) return `/organizations/${orgId}/incidents`;
  if (may.has('maintenance')) return `/organizations/${orgId}/maintenance-windows`;
  if (may.has('on-call')) return `/organizations/${orgId}/on-call/settings`;
  if (may.has('status-pages')) return `/organizations/${orgId}/status-pages`;
  if (may.has('webhooks')) return `/organizations/${orgId}/webhooks`;
  if (may.has('organization')) return '/me/organizations';
  if (may.has('monitors')) return `/organizations/${orgId}/alert-profiles`;
  return null;
}

/** A curl command for a shell; null if the key can read no list without an id. */
export function curlExample(made: Made, orgId: string, origin: string): string | null {
  const path = pathFor(made, orgId);
  return path === null ? null : `curl -H 'Authorization: Bearer ${made.key}' ${origin}${path}`;
}
