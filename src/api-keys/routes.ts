import { type Route, read, write } from '../platform/http/mount.ts';
import { paged } from '../platform/http/page.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import * as contract from './contract.ts';
import { createKey } from './create.ts';
import { findKey, listKeys } from './list.ts';
import { revokeKey } from './revoke.ts';

export const apiKeyRoutes: Route[] = [
  read(contract.listApiKeys, (call) =>
    paged(
      call,
      (page) => listKeys(call.db, call.subject.orgId, page),
      ({ id }) => id,
    ),
  ),
  write(contract.createApiKey, ({ subject, body, caller }, work) => {
    if (caller?.kind !== 'user') return refuse('key_not_accepted', 'API keys are made by people.');
    return createKey(work, subject.orgId, caller.userId, body);
  }),
  {
    ...write(contract.revokeApiKey, async ({ subject, params }, work) => {
      await revokeKey(work, subject.orgId, params.key_id);
      return undefined;
    }),
    beforeBody: async ({ db, subject, params }) =>
      (await findKey(db, subject.orgId, params.key_id ?? '')) ?? notFound('API key'),
  },
];
