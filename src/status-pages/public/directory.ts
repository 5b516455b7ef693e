// Which addresses show a page, slugs and custom domains, in the memory of every server: a request for a page that does not exist
// asks nobody.
import { sql } from 'kysely';
import type { AccessMode } from '#src/domain/names.ts';
import type { Listener } from '#src/platform/db/listener.ts';
import type { Log } from '#src/platform/log.ts';
import type { Database } from '#src/platform/work.ts';
import { onPagesChanged, PAGES_CHANNEL } from '../changed.ts';

/** A page that is enabled and no draft, as its gate needs it. */
export type ServedPage = {
  id: string;
  orgId: string;
  slug: string;
  accessMode: Exclude<AccessMode, 'draft'>;
  /** A visitor who unlocked under another one has to unlock again. */
  unlockVersion: number;
};

/** The page of a verified domain. Whether it is shown follows from its slug, as everywhere. */
export type PageOfDomain = { pageId: string; slug: string; isCertified: boolean; isDangling: boolean };

export type Directory = {
  /** The page that a custom domain shows; null: none. */
  findAtDomain: (domain: string) => Promise<ServedPage | null>;
  /** The page of a custom domain, as DNS has its name, as far as it was read. */
  atDomain: (domain: string) => PageOfDomain | undefined;
  hasDomains: () => boolean;
  /** Reads all pages, for `atDomain`, which waits for nothing. */
  load: () => Promise<void>;
  /** The page at a slug; null: nobody is shown one. Rejects while nothing was ever read and the database is away. */
  find: (slug: string) => Promise<ServedPage | null>;
  /** The page at a slug, as far as it is known without asking; null: there is none, or it is being read. */
  known: (slug: string) => ServedPage | null;
  /** Every page, those that are open to everybody first. Rejects while the database is away. */
  list: () => Promise<ServedPage[]>;
  /** Calls `listen` with the id of each page that changed, and with null when any may have. */
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

/** Follows all pages of the installation; what it holds is as old as the last announcement. */
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
  /** Everything that is being read, one after the other. */
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
      // One that another page has by now is that page's.
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

  /** Reads one page, or all; what was asked for before is read before. */
  function read(pageId: string | null): Promise<void> {
    const before = reading ?? Promise.resolve();
    const mine = before.then(async () => {
      const rows = await readPages(db, pageId);
      put(pageId, rows);
      if (pageId === null) complete = true;
    });
    const settled = mine
      .catch((err: unknown) => {
        // Not knowing what changed is not knowing anything: the next request reads all.
        complete = false;
        log.warn({ err }, 'cannot read the status pages; the next request for one tries again');
      })
      .finally(() => {
        if (reading === settled) reading = null;
      });
    reading = settled;
    return mine;
  }

  /** The reading of all that visitors wait for together, however many come. */
  let readingAll: Promise<void> | null = null;
  const readAll = () => {
    readingAll ??= read(null).finally(() => {
      readingAll = null;
    });
    return readingAll;
  };

  function changed(id: string | null): void {
    if (id?.startsWith('stp_') === false) return;
    // Before anything was read there is nothing to correct.
    if (complete || reading) read(id).catch(() => undefined);
    for (const listen of listeners) listen(id);
  }

  /** Resolves once everything that is known to have changed was read. */
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

/** With the database away, what was known last is still shown. */
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
