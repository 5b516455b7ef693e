import { paged } from '../platform/http/page.ts';
import { type Route, read, write } from '../platform/http/route.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import * as contract from './contract.ts';
import { createKey } from './create.ts';
import { findKey, listKeys } from './list.ts';
import { revokeKey } from './revoke.ts';

export const apiKeyRoutes: Route[] = [
  read(contract.listApiKeys, (call) =>
    paged(
      call,
      (page) => listKeys(call.db, call.resource.orgId, page),
      ({ id }) => id,
    ),
  ),
  write(contract.createApiKey, ({ resource, body, caller }, work) => {
    if (caller?.kind !== 'user') return refuse('key_not_accepted', 'API keys are made by people.');
    return createKey(work, resource.orgId, caller.userId, body);
  }),
  {
    ...write(contract.revokeApiKey, async ({ resource, params }, work) => {
      await revokeKey(work, resource.orgId, params.key_id);
      return undefined;
    }),
    beforeBody: async ({ db, resource, params }) =>
      (await findKey(db, resource.orgId, params.key_id ?? '')) ?? notFound('API key'),
  },
];
