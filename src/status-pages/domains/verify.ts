import type { Call } from '#src/platform/http/route.ts';
import type { CnameLookUp } from '#src/platform/outbound/cname.ts';
import { notFound } from '#src/platform/refusals.ts';
import type { CustomDomain, verifyDomain as contract } from './contract.ts';
import { recordLookup } from './record-lookup.ts';
import { type DomainOptions, findDomain, showDomain, targetOf } from './row.ts';

/**
 * Looks up the record of a domain now, and returns the domain's state in any case; a failed one is looked up for another 72
 * hours.
 */
export async function verifyDomain(
  { db, params, work }: Call<typeof contract>,
  { lookUp, ...options }: DomainOptions & { lookUp: CnameLookUp },
): Promise<CustomDomain> {
  const { id, domain_id } = params;
  const row = await findDomain(db, id, domain_id);
  // Before the unit of work: name servers may take seconds.
  const result = await lookUp(row.domain, targetOf(row, options));
  const after = await work((work) => recordLookup(work, row, result, { ...options, asked: true }));
  return after === null ? notFound('domain') : showDomain(after, options);
}
