import { recordActivity } from '#src/activity/record.ts';
import { domainProblemSentence } from '#src/domain/domain-problem.ts';
import { advisoryLock } from '#src/platform/db/advisory-lock.ts';
import type { CnameResult } from '#src/platform/outbound/cname.ts';
import type { Tx, Work } from '#src/platform/work.ts';
import { announcePage } from '../changed.ts';
import { type DomainOptions, type DomainRow, lockDomain, showDomain, targetOf } from './row.ts';
import { afterLookup, type DomainState } from './verification.ts';

/**
 * Stores the result of a lookup of a domain's record; null if the domain was removed meanwhile. The first organization that
 * verifies a name has it: the domains of others with the same name fail.
 */
export async function recordLookup(
  work: Work,
  { id, domain }: Pick<DomainRow, 'id' | 'domain'>,
  result: CnameResult,
  { asked, ...options }: DomainOptions & { asked: boolean },
): Promise<DomainRow | null> {
  const { tx, now } = work;
  // Another organization that verifies the same name now waits here. Taken before the row is locked, because the others lock
  // this row.
  await advisoryLock(tx, `domain ${domain}`);
  const row = await lockDomain(tx, id);
  if (row === null) return null;
  const { status, pending_since, next_check_at, tries, verified_at, dangling_since, last_error } = row;
  const before = { status, pending_since, next_check_at, tries, verified_at, dangling_since, last_error };
  const target = targetOf(row, options);
  let after = afterLookup(before as DomainState, result, { now, asked, domain: row.domain, target });
  const lost = domainProblemSentence({ kind: 'lost' }, { domain: row.domain, target });
  const isNew = after.status === 'verified' && row.status !== 'verified';
  if (isNew && (await isVerifiedByAnother(tx, row))) after = { ...after, ...LOST, last_error: lost };
  const stops = after.status !== 'verified' && row.status === 'verified';
  const changed = await tx
    .updateTable('status_page_domains')
    .set({
      ...after,
      ...(isNew || stops
        ? { edge_synced: false, cert_status: null, cert_error: null, cert_next_check_at: null }
        : {}),
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (changed.status === 'verified' && isNew) await failOthers(tx, row, lost);
  const isOther = (changed.dangling_since === null) !== (row.dangling_since === null);
  if (changed.status !== row.status || isOther) await announcePage(work, row.status_page_id);
  if (asked || changed.status !== row.status) {
    const { name } = await tx
      .selectFrom('status_pages')
      .select('name')
      .where('id', '=', row.status_page_id)
      .executeTakeFirstOrThrow();
    await recordActivity(work, {
      orgId: row.org_id,
      action: 'status_page.verify_domain',
      resource: { kind: 'status_page', id: row.status_page_id, name },
      before: showDomain(row, options),
      after: showDomain(changed, options),
    });
  }
  return changed;
}

const LOST = { status: 'failed', verified_at: null, next_check_at: null } as const;

async function isVerifiedByAnother(tx: Tx, { id, domain }: DomainRow): Promise<boolean> {
  const other = await tx
    .selectFrom('status_page_domains')
    .select('id')
    .where('domain', '=', domain)
    .where('status', '=', 'verified')
    .where('id', '<>', id)
    .executeTakeFirst();
  return other !== undefined;
}

async function failOthers(tx: Tx, { id, domain }: DomainRow, lost: string): Promise<void> {
  await tx
    .updateTable('status_page_domains')
    .set({ status: 'failed', next_check_at: null, last_error: lost })
    .where('domain', '=', domain)
    .where('id', '<>', id)
    .where('status', '=', 'pending')
    .execute();
}
