// The addresses of pages, slugs and custom domains, in the memory of every server: a request for a page that does not exist
// costs no query.
import { sql } from 'kysely';
import type { AccessMode } from '#src/domain/names.ts';
import type { Listener } from '#src/platform/db/listener.ts';
import type { Log } from '#src/platform/log.ts';
import type { Database } from '#src/platform/work.ts';
import { onPagesChanged, PAGES_CHANNEL } from '../changed.ts';

/** A page that is enabled and no draft, with the fields that its gate needs. */
export type ServedPage = {
  id: string;
  orgId: string;
  slug: string;
  accessMode: Exclude<AccessMode, 'draft'>;
  /** A visitor who unlocked under another version must unlock again. */
  unlockVersion: number;
};

/** The page of a verified domain. Its slug decides whether it is shown, as everywhere. */
export type PageOfDomain = { pageId: string; slug: string; isCertified: boolean; isDangling: boolean };

export type Directory = {
  /** The page that a custom domain shows; null: none. */
  findAtDomain: (domain: string) => Promise<ServedPage | null>;
  /** The page of a custom domain, in the notation of DNS, as far as it has been read. */
  atDomain: (domain: string) => PageOfDomain | undefined;
  hasDomains: () => boolean;
  /** Reads all pages, for `atDomain`, which does not wait. */
  load: () => Promise<void>;
  /** The page at a slug; null: no page is public there. Rejects while the database is away and nothing was ever read. */
  find: (slug: string) => Promise<ServedPage | null>;
  /** The page at a slug, as far as it is known without a query; null: there is none, or it is being read. */
  known: (slug: string) => ServedPage | null;
  /** Every page, public ones first. Rejects while the database is away. */
  list: () => Promise<ServedPage[]>;
  /** Calls `listen` with the id of each page that changed, and with null if any page may have. */
  onChange: (listen: (pageId: string | null) => void) => void;
  stop: () => void;
};

type Row = {
  id: string;
  org_id: string;
  slug: string;
  access_mode: ServedPage['accessMode'];
  unlock_version: number;
  /** Enabled, and no draft. */
  is_served: boolean;
  domains: { domain: string; certified: boolean; dangling: boolean }[];
};

/** Follows all pages of the installation; its content is as recent as the last announcement. */
export function makeDirectory({
  db,
  listener,
  log,
}: {
  db: Database;
  listener: Pick<Listener, 'listen'>;
  log: Log;
}): Directory {
  const byId = new Map<string, ServedPage>();
  const bySlug = new Map<string, ServedPage>();
  const byDomain = new Map<string, PageOfDomain>();
  const domainsById = new Map<string, string[]>();
  const listeners: ((pageId: string | null) => void)[] = [];
  let complete = false;
  /** All readings in progress, one after the other. */
  let reading: Promise<void> | null = null;

  function put(pageId: string | null, rows: readonly Row[]): void {
    if (pageId === null) {
      byId.clear();
      bySlug.clear();
      byDomain.clear();
      domainsById.clear();
    } else {
      const before = byId.get(pageId);
      byId.delete(pageId);
      if (before && bySlug.get(before.slug)?.id === pageId) bySlug.delete(before.slug);
      // A slug that another page has by now belongs to that page.
      for (const domain of domainsById.get(pageId) ?? [])
        if (byDomain.get(domain)?.pageId === pageId) byDomain.delete(domain);
      domainsById.delete(pageId);
    }
    for (const { id, org_id, slug, access_mode, unlock_version, is_served, domains } of rows) {
      for (const { domain, certified, dangling } of domains)
        byDomain.set(domain, { pageId: id, slug, isCertified: certified, isDangling: dangling });
      if (domains.length > 0)
        domainsById.set(
          id,
          domains.map(({ domain }) => domain),
        );
      if (!is_served) continue;
      const page = { id, orgId: org_id, slug, accessMode: access_mode, unlockVersion: unlock_version };
      byId.set(id, page);
      bySlug.set(slug, page);
    }
  }

  /** Reads one page, or all, after the readings that were requested before. */
  function read(pageId: string | null): Promise<void> {
    const before = reading ?? Promise.resolve();
    const mine = before.then(async () => {
      const rows = await readPages(db, pageId);
      put(pageId, rows);
      if (pageId === null) complete = true;
    });
    const settled = mine
      .catch((err: unknown) => {
        // A missed announcement makes everything unknown: the next request reads all pages.
        complete = false;
        log.warn({ err }, 'cannot read the status pages; the next request for one tries again');
      })
      .finally(() => {
        if (reading === settled) reading = null;
      });
    reading = settled;
    return mine;
  }

  /** The one reading of all pages that any number of visitors wait for. */
  let readingAll: Promise<void> | null = null;
  const readAll = () => {
    readingAll ??= read(null).finally(() => {
      readingAll = null;
    });
    return readingAll;
  };

  function changed(id: string | null): void {
    if (id?.startsWith('stp_') === false) return;
    // Before the first reading there is nothing to correct.
    if (complete || reading) read(id).catch(() => undefined);
    for (const listen of listeners) listen(id);
  }

  /** Resolves once every page that is known to have changed was read. */
  async function current(): Promise<void> {
    if (reading) await reading;
    if (!complete) await readAll().catch(rethrowUnlessKnown(bySlug));
  }

  listener.listen(PAGES_CHANNEL, changed);
  const stop = onPagesChanged(changed);
  return {
    atDomain: (domain) => byDomain.get(domain),
    hasDomains: () => byDomain.size > 0,
    load: readAll,
    async find(slug) {
      await current();
      return bySlug.get(slug) ?? null;
    },
    async findAtDomain(domain) {
      await current();
      return byId.get(byDomain.get(domain)?.pageId ?? '') ?? null;
    },
    known: (slug) => (complete && reading === null ? (bySlug.get(slug) ?? null) : null),
    async list() {
      await current();
      return [...byId.values()].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
    },
    onChange: (listen) => void listeners.push(listen),
    stop,
  };
}

const isOpen = ({ accessMode }: ServedPage) => accessMode === 'public';

/** While the database is away, the last known state is still shown. */
const rethrowUnlessKnown = (known: ReadonlyMap<string, unknown>) => (error: unknown) => {
  if (known.size === 0) throw error;
};

async function readPages(db: Database, pageId: string | null): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT p.id, p.org_id, p.slug, p.access_mode, p.unlock_version, p.enabled AND p.access_mode <> 'draft' AS is_served,
      d.domains
    FROM status_pages p CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_agg(jsonb_build_object('domain', domain,
        'certified', cert_status IS NOT DISTINCT FROM 'issued', 'dangling', dangling_since IS NOT NULL)), '[]') AS domains
      FROM status_page_domains WHERE status_page_id = p.id AND status = 'verified'
    ) d
    WHERE p.archived_at IS NULL AND ((p.enabled AND p.access_mode <> 'draft') OR d.domains <> '[]')
      ${pageId === null ? sql`` : sql`AND p.id = ${pageId}`}`.execute(db);
  return rows;
}
