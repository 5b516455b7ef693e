// The names that an edge serves: verified domains, and the installation's own.
import { isIP } from 'node:net';
import { sql } from 'kysely';
import type { Database } from '#src/platform/work.ts';

const LONGEST_NAME = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A host name as DNS has it, lower case and without the dot at its end; null if it is none: an address, a single label, a
 * wildcard, too long, or no letters of a host name.
 */
export function hostName(text: string): string | null {
  const name = text.toLowerCase().replace(/\.$/, '');
  if (name.length > LONGEST_NAME || isIP(name) !== 0) return null;
  const labels = name.split('.');
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) ? name : null;
}

/** The host of BASE_URL, where the edge serves it too: with https, and a name. */
export function ownName(baseUrl: string): string | null {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' ? hostName(hostname) : null;
}

/** All of them. */
export async function servedNames(db: Database, baseUrl: string): Promise<string[]> {
  const own = ownName(baseUrl);
  return [...(own === null ? [] : [own]), ...(await verifiedDomains(db))];
}

/** Every verified domain of a page that is there, in order. */
async function verifiedDomains(db: Database): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    SELECT d.domain FROM status_page_domains d JOIN status_pages p ON p.id = d.status_page_id
    WHERE d.status = 'verified' AND p.archived_at IS NULL ORDER BY d.domain COLLATE "C"`.execute(db);
  return rows.map(({ domain }) => domain);
}
