// Limits certificate orders, because authorities block an installation that orders too many
// (docs/rules/limits.md#certificate-orders).
import { sql } from 'kysely';
import { HOUR_MS } from '#src/domain/durations.ts';
import { advisoryLock } from '#src/platform/db/advisory-lock.ts';
import { refuse } from '#src/platform/refusals.ts';
import type { Database, Work } from '#src/platform/work.ts';

/** Orders within any hour. An authority such as Let's Encrypt counts five failed ones of a name. */
const PER_DOMAIN = 5;
const PER_ORGANIZATION = 20;
const PER_INSTALLATION = 100;
/** Further than any limit looks back. */
const KEPT_MS = 24 * HOUR_MS;

/**
 * Counts an order for a domain, or refuses with `rate_limited` until the oldest that counts is an hour old. Holds a lock of
 * the installation, so that simultaneous orders cannot exceed a limit.
 */
export async function takeOrder(
  work: Work,
  { orgId, domain }: { orgId: string; domain: string },
): Promise<void> {
  const { tx, now } = work;
  await advisoryLock(tx, 'certificate orders');
  const nextAt = await nextOrderAt(work, { orgId, domain });
  if (nextAt !== null)
    refuse(
      'rate_limited',
      `Within an hour no more than ${PER_DOMAIN} certificates are ordered for a domain, ${PER_ORGANIZATION} for an organization and ${PER_INSTALLATION} in all.`,
      {
        reason: 'certificate_orders',
        retryAfterSeconds: Math.max(1, Math.ceil((nextAt.getTime() - now.getTime()) / 1000)),
      },
    );
  await sql`INSERT INTO certificate_orders (org_id, domain, at) VALUES (${orgId}, ${domain}, ${now})`.execute(
    tx,
  );
}

/** When the domain may be ordered for again; null: now. */
export async function nextOrderAt(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  { orgId, domain }: { orgId: string; domain: string },
): Promise<Date | null> {
  const since = new Date(now.getTime() - HOUR_MS);
  // The last of these is the one that has to become an hour old first.
  const { rows } = await sql<{ at: Date }>`
    SELECT max(at) AS at FROM (
      (SELECT at FROM certificate_orders WHERE domain = ${domain} AND at > ${since}
       ORDER BY at DESC OFFSET ${PER_DOMAIN - 1} LIMIT 1)
      UNION ALL
      (SELECT at FROM certificate_orders WHERE org_id = ${orgId} AND at > ${since}
       ORDER BY at DESC OFFSET ${PER_ORGANIZATION - 1} LIMIT 1)
      UNION ALL
      (SELECT at FROM certificate_orders WHERE at > ${since}
       ORDER BY at DESC OFFSET ${PER_INSTALLATION - 1} LIMIT 1)) full_hours
    HAVING max(at) IS NOT NULL`.execute(tx);
  const [full] = rows;
  return full ? new Date(full.at.getTime() + HOUR_MS) : null;
}

/** Forgets orders that no longer count. */
export async function forgetOldOrders(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await sql`DELETE FROM certificate_orders WHERE at <= ${before}`.execute(db);
}
