import { type Route, raw, read, write } from '#src/platform/http/route.ts';
import type { CnameLookUp } from '#src/platform/outbound/cname.ts';
import { findPage } from '../lock.ts';
import { type AddOptions, addDomain, refuseBeyondLimit } from './add.ts';
import * as contract from './contract.ts';
import { removeDomain } from './remove.ts';
import { findDomain, listDomains } from './row.ts';
import { verifyDomain } from './verify.ts';

export type DomainRouteOptions = AddOptions & { lookUp: CnameLookUp };

/** Custom domains of status pages. */
export const domainRoutes = (options: DomainRouteOptions): Route[] => [
  read(contract.listDomains, ({ db, params }) => listDomains(db, params.id, options)),
  {
    ...write(contract.addDomain, ({ params, body }, work) =>
      addDomain(work, params.id, body.domain, options),
    ),
    async beforeBody({ db, params }) {
      const page = await findPage(db, params.id ?? '');
      await refuseBeyondLimit(db, page.org_id, page.id);
    },
  },
  {
    ...raw(contract.verifyDomain, (call) => verifyDomain(call, options)),
    beforeBody: ({ db, params }) => findDomain(db, params.id ?? '', params.domain_id ?? ''),
  },
  {
    ...write(contract.removeDomain, async ({ params }, work) => {
      await removeDomain(work, params.id, params.domain_id, options);
      return undefined;
    }),
    beforeBody: ({ db, params }) => findDomain(db, params.id ?? '', params.domain_id ?? ''),
  },
];
