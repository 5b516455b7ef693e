import { randomBytes } from 'node:crypto';
import { recordActivity } from '#src/activity/record.ts';
import { lockLimits } from '#src/organizations/lock-limits.ts';
import { planLimits } from '#src/plans/plan.ts';
import { newId } from '#src/platform/ids.ts';
import { refuse } from '#src/platform/refusals.ts';
import { randomToken } from '#src/platform/secrets.ts';
import type { Database, Tx, Work } from '#src/platform/work.ts';
import { findPage, lockPage } from '../lock.ts';
import { checkedDomain, type OwnNames } from './checked-domain.ts';
import type { CustomDomain } from './contract.ts';
import { type DomainOptions, showDomain } from './row.ts';

export type AddOptions = DomainOptions & { own: OwnNames };

/**
 * Adds a custom domain as pending, and has its record looked up soon. Refuses a domain beyond the plan's limit (402
 * `plan_limit`), one that is no host name or reserved (400), and one that the organization has already or another one has
 * verified (409 `duplicate_domain`).
 */
export async function addDomain(
  work: Work,
  pageId: string,
  given: string,
  options: AddOptions,
): Promise<CustomDomain> {
  const { tx, now } = work;
  const found = await findPage(tx, pageId);
  await lockLimits(tx, found.org_id);
  const page = await lockPage(work, pageId);
  await refuseBeyondLimit(tx, page.org_id, pageId);
  const domain = checkedDomain(given, options.own);
  await refuseKnown(tx, page.org_id, domain);
  const row = await tx
    .insertInto('status_page_domains')
    .values({
      ...{ id: newId('spd'), org_id: page.org_id, status_page_id: pageId, domain },
      ...newDomain(now),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const shown = showDomain(row, options);
  await recordActivity(work, {
    orgId: page.org_id,
    action: 'status_page.add_domain',
    resource: { kind: 'status_page', id: pageId, name: page.name },
    after: shown,
  });
  return shown;
}

/** The initial state of a domain: a target that nobody can guess, and the time of the first look. */
export const newDomain = (now: Date) => ({
  status: 'pending',
  // DNS ignores case, so base64 is not usable.
  target_label: randomBytes(12).toString('hex'),
  verification_token: randomToken(24),
  ...{ created_at: now, pending_since: now, next_check_at: now },
});

/** 402 `plan_limit` if the page has as many domains as the plan allows, failed ones included. */
export async function refuseBeyondLimit(db: Database | Tx, orgId: string, pageId: string): Promise<void> {
  const { customDomainsPerPage: limit } = await planLimits(db, orgId);
  if (limit === null) return;
  const { n } = await db
    .selectFrom('status_page_domains')
    .select((get) => get.fn.countAll<string>().as('n'))
    .where('status_page_id', '=', pageId)
    .executeTakeFirstOrThrow();
  if (Number(n) < limit) return;
  refuse(
    'plan_limit',
    limit === 0
      ? 'The plan has no custom domains (custom_domains_per_page is 0). Ask for a larger plan.'
      : `The page has ${limit} custom ${limit === 1 ? 'domain' : 'domains'}, as many as the plan allows (custom_domains_per_page). Remove one, or ask for a larger plan.`,
    { field: 'custom_domains_per_page', limit },
  );
}

async function refuseKnown(tx: Tx, orgId: string, domain: string): Promise<void> {
  const known = await tx
    .selectFrom('status_page_domains')
    .select(['org_id', 'status'])
    .where('domain', '=', domain)
    .where((is) => is.or([is('org_id', '=', orgId), is('status', '=', 'verified')]))
    .executeTakeFirst();
  if (!known) return;
  const where = known.org_id === orgId ? 'a status page of this organization' : 'another organization';
  refuse('duplicate_domain', `domain ${domain} already belongs to ${where}.`, { field: 'domain' });
}
