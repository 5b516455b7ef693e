// Follows the certificates of domains: connects to the edges for each, which also makes them order it, and records the result.
import { sql } from 'kysely';
import { certificateProblemSentence } from '#src/domain/certificate-problem.ts';
import { HOUR_MS } from '#src/domain/durations.ts';
import { utcMinute } from '#src/domain/utc.ts';
import { type Database, runWork, SYSTEM, type Work } from '#src/platform/work.ts';
import { announcePage } from '#src/status-pages/changed.ts';
import type { CertificateStatus } from '#src/status-pages/domains/contract.ts';
import { nextOrderAt } from './orders.ts';
import { type CertificateSeen, readCertificate } from './read-certificate.ts';

export type CertificatesOptions = {
  db: Database;
  clock: () => Date;
  /** The edges that answer: where each serves https. */
  edges: readonly { host: string; port: number }[];
  signal?: AbortSignal;
};

/** Domains that a server checks at the same time. */
const AT_ONCE = 8;
/** Longer than a check may take: a server that has recorded nothing by then has died. */
const LEASE_MS = 40_000;
/** Issued certificates are checked this often; Caddy renews them weeks ahead. */
const ISSUED_EVERY_MS = 6 * HOUR_MS;
/** Bounds of the pause while none is issued, which is half the time since the domain was verified. */
const MIN_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = HOUR_MS;

type Claimed = { id: string; org_id: string; domain: string };

/** Checks every certificate that is due, and resolves when none is left. */
export async function followCertificates(options: CertificatesOptions): Promise<void> {
  if (options.edges.length === 0) return;
  for (;;) {
    const claimed = options.signal?.aborted ? [] : await claim(options.db, options.clock());
    if (claimed.length === 0) return;
    await Promise.all(claimed.map((domain) => followOne(options, domain)));
  }
}

/** Servers share the work: who claims a domain has it until the lease ends, or until it has noted what it saw. */
async function claim(db: Database, now: Date): Promise<Claimed[]> {
  const leaseEnds = new Date(now.getTime() + LEASE_MS);
  const { rows } = await sql<Claimed>`
    WITH due AS (
      SELECT id FROM status_page_domains
      WHERE status = 'verified' AND edge_synced AND (cert_next_check_at IS NULL OR cert_next_check_at <= ${now})
      ORDER BY cert_next_check_at NULLS FIRST, id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED
    )
    UPDATE status_page_domains d SET cert_next_check_at = ${leaseEnds} FROM due WHERE due.id = d.id
    RETURNING d.id, d.org_id, d.domain`.execute(db);
  return rows;
}

async function followOne(options: CertificatesOptions, claimed: Claimed): Promise<void> {
  const { db, clock, edges, signal } = options;
  const seen = await Promise.all(edges.map((edge) => readCertificate(edge, claimed.domain, clock(), signal)));
  // Whoever claims it after the lease goes on.
  if (signal?.aborted) return;
  await runWork(db, clock(), SYSTEM, (work) => note(work, claimed, worstOf(seen)));
}

const ORDER = ['failed', 'pending', 'issued'] as const;

/** A visitor may come to any of the edges. */
function worstOf(seen: readonly CertificateSeen[]): CertificateSeen {
  const [worst] = seen.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return worst ?? { status: 'pending', kind: 'unreached', reason: 'no edge answers' };
}

async function note(work: Work, claimed: Claimed, seen: CertificateSeen): Promise<void> {
  const { tx, now } = work;
  const { rows } = await sql<Noted>`
    SELECT status_page_id, cert_status, cert_error, verified_at FROM status_page_domains
    WHERE id = ${claimed.id} AND status = 'verified' FOR UPDATE`.execute(tx);
  const [before] = rows;
  // Removed meanwhile, or not verified any more.
  if (!before) return;
  // An issued certificate stays issued when the edge cannot be reached.
  const isKept = seen.status === 'pending' && before.cert_status === 'issued';
  const status = isKept ? 'issued' : seen.status;
  const error = isKept ? before.cert_error : await sentenceOf(work, claimed, seen);
  await sql`
    UPDATE status_page_domains SET cert_status = ${status}, cert_error = ${error},
      cert_next_check_at = ${new Date(now.getTime() + pauseMs(status, before.verified_at, now))}
    WHERE id = ${claimed.id}`.execute(tx);
  if (status !== before.cert_status || error !== before.cert_error)
    await announcePage(work, before.status_page_id);
}

type Noted = {
  status_page_id: string;
  cert_status: CertificateStatus | null;
  cert_error: string | null;
  verified_at: Date;
};

function pauseMs(status: CertificateStatus, verifiedAt: Date, now: Date): number {
  if (status === 'issued') return ISSUED_EVERY_MS;
  const halfMs = (now.getTime() - verifiedAt.getTime()) / 2;
  return Math.min(LONGEST_PAUSE_MS, Math.max(MIN_PAUSE_MS, halfMs));
}

/** The sentence shown to whoever added the domain; null: all is well. */
async function sentenceOf(work: Work, claimed: Claimed, seen: CertificateSeen): Promise<string | null> {
  if (seen.status === 'issued') return null;
  const { domain, org_id: orgId } = claimed;
  const nextAt = await nextOrderAt(work, { orgId, domain });
  if (nextAt !== null && seen.kind !== 'unreached')
    return certificateProblemSentence({ kind: 'limited', until: utcMinute(nextAt.getTime()) }, domain);
  return certificateProblemSentence(seen, domain);
}
