// Which addresses show a page, in the memory of every server: a request for a page that does not exist asks nobody.
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

export type Directory = {
  /** The page at a slug; null: nobody is shown one. Rejects while nothing was ever read and the database is away. */
  find: (slug: string) => Promise<ServedPage | null>;
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
  const listeners: ((pageId: string | null) => void)[] = [];
  let complete = false;
  /** Everything that is being read, one after the other. */
  let reading: Promise<void> | null = null;

  function put(pageId: string | null, rows: readonly Row[]): void {
    if (pageId === null) {
      byId.clear();
      bySlug.clear();
    } else {
      const before = byId.get(pageId);
      byId.delete(pageId);
      if (before && bySlug.get(before.slug)?.id === pageId) bySlug.delete(before.slug);
    }
    for (const { id, org_id, slug, access_mode, unlock_version } of rows) {
      const page = { id, orgId: org_id, slug, accessMode: access_mode, unlockVersion: unlock_version };
      byId.set(id, page);
      bySlug.set(slug, page);
    }
  }

  /** Reads one page, or all; what was asked for before is read before. */
  function read(pageId: string | null): Promise<void> {
    const before = reading ?? Promise.resolve();
    const mine = before.then(async () => {
      const rows = await readServed(db, pageId);
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

  listener.listen(PAGES_CHANNEL, changed);
  const stop = onPagesChanged(changed);
  return {
    async find(slug) {
      if (reading) await reading;
      if (!complete) await readAll().catch(rethrowUnlessKnown(bySlug));
      return bySlug.get(slug) ?? null;
    },
    onChange: (listen) => void listeners.push(listen),
    stop,
  };
}

/** With the database away, what was known last is still shown. */
const rethrowUnlessKnown = (known: ReadonlyMap<string, unknown>) => (error: unknown) => {
  if (known.size === 0) throw error;
};

async function readServed(db: Database, pageId: string | null): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT id, org_id, slug, access_mode, unlock_version FROM status_pages
    WHERE archived_at IS NULL AND enabled AND access_mode <> 'draft'
      ${pageId === null ? sql`` : sql`AND id = ${pageId}`}`.execute(db);
  return rows;
}
