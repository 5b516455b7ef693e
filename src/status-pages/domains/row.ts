import type { Selectable } from 'kysely';
import { domainProblemSentence } from '#src/domain/domain-problem.ts';
import type { DB } from '#src/platform/db/tables.ts';
import { notFound } from '#src/platform/refusals.ts';
import { unixOrNull } from '#src/platform/unix.ts';
import type { Database, Tx } from '#src/platform/work.ts';
import type { CertificateStatus, CustomDomain, DomainStatus } from './contract.ts';

export type DomainRow = Selectable<DB['status_page_domains']>;

/** How this installation shows domains: the targets of their records, and the server of their certificates. */
export type DomainOptions = {
  /** The domain below which every custom domain has its own target. */
  targetDomain: string;
  edge: 'none' | 'caddy';
};

export const targetOf = (
  { target_label }: Pick<DomainRow, 'target_label'>,
  { targetDomain }: DomainOptions,
) => `${target_label}.${targetDomain}`;

/** A domain as the API shows it (docs/rules/status-pages.md#custom-domains). */
export function showDomain(row: DomainRow, options: DomainOptions): CustomDomain {
  const target = targetOf(row, options);
  const isVerified = row.status === 'verified';
  const isOwnProxy = options.edge === 'none';
  return {
    id: row.id,
    domain: row.domain,
    cname_target: target,
    status: row.status as DomainStatus,
    verification_method: 'cname',
    verification_token: row.verification_token,
    verified_at: unixOrNull(row.verified_at),
    cert_status: isOwnProxy ? 'pending' : (row.cert_status as CertificateStatus | null),
    edge_synced: isVerified && (isOwnProxy || row.edge_synced),
    last_error:
      row.last_error ??
      (isVerified && isOwnProxy
        ? domainProblemSentence({ kind: 'own_proxy' }, { domain: row.domain, target })
        : isVerified
          ? row.cert_error
          : null),
  };
}

/** Domains of a page, oldest first. */
export async function listDomains(
  db: Database,
  pageId: string,
  options: DomainOptions,
): Promise<CustomDomain[]> {
  const rows = await domains(db)
    .where('status_page_id', '=', pageId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => showDomain(row, options));
}

/** One domain of a page; 404 if the page has none with this id. */
export async function findDomain(db: Database | Tx, pageId: string, domainId: string): Promise<DomainRow> {
  const row = await domains(db)
    .where('status_page_id', '=', pageId)
    .where('id', '=', domainId)
    .executeTakeFirst();
  return row ?? notFound('domain');
}

/** A domain, locked until the end of the unit of work; null if it is gone. */
export async function lockDomain(tx: Tx, domainId: string): Promise<DomainRow | null> {
  return (await domains(tx).where('id', '=', domainId).forUpdate().executeTakeFirst()) ?? null;
}

const domains = (db: Database | Tx) => db.selectFrom('status_page_domains').selectAll();
