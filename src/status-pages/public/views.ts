// The last snapshot of each page that somebody looked at, in memory: visitors cost nothing but the sending of bytes. A page is
// read again when something of it changed, at most once a second, and its figures once a minute. While the database is away
// the last one is shown.

import { LIVE_CHANNEL, onPublished } from '#src/events/publish.ts';
import type { FirstOwnerOf } from '#src/organizations/first-owner.ts';
import { askingFor } from '#src/platform/db/asker.ts';
import type { Listener } from '#src/platform/db/listener.ts';
import type { Reads } from '#src/platform/db/replica/reads.ts';
import type { Log } from '#src/platform/log.ts';
import type { Database } from '#src/platform/work.ts';
import { onPagesChanged, PAGES_CHANNEL } from '../changed.ts';
import type { Directory, ServedPage } from './directory.ts';
import { Documents, type Ready } from './documents.ts';
import { type Figures, readFigures, readMonths } from './read-figures.ts';
import { type NamedMonitor, readSnapshot } from './read-snapshot.ts';
import { readShownMonitors, readShownPage } from './shown-page.ts';
import type { MonthlyUptime, Snapshot } from './snapshot.ts';

export type View = {
  snapshot: Snapshot;
  named: readonly NamedMonitor[];
  documents: Documents;
  /** Answers that were given with it (ready.ts). */
  ready: Map<string, Ready>;
  /** The database did not answer since: it is shown with its time. */
  isLast: boolean;
};

export type ViewsOptions = {
  reads: Reads;
  listener: Pick<Listener, 'listen'>;
  directory: Directory;
  clock: () => Date;
  /** Monotonic milliseconds: how often a page is read does not depend on a clock that is set. */
  elapsedMs: () => number;
  log: Log;
  firstOwnerOf: FirstOwnerOf;
  canMail: boolean;
  /** What all pages may take of the memory. */
  maxBytes?: number;
};

/** At most so often a page is read because of what happened on it, and at least so often while somebody looks. */
const READ_AT_MOST_EVERY_MS = 1_000;
const READ_AT_LEAST_EVERY_MS = 60_000;
const MONTHS_AT_MOST_EVERY_MS = 300_000;
/** A visitor waits this long for a newer page before the last one is shown. */
const PATIENCE_MS = 250;
/** Bytes of all pages together; those that nobody looked at for the longest are forgotten. */
const MAX_BYTES = 96 * 1024 * 1024;
/** What a day of a monitor takes, measured: nearly everything of a page beside its documents. */
const BYTES_OF_A_DAY = 112;

type Entry = {
  orgId: string;
  view: View | null;
  figures: Figures | null;
  /** Something happened: read it again, within the second. */
  dirty: boolean;
  /** Its settings changed: what is kept is no longer what its owner shows. */
  outdated: boolean;
  figuresDirty: boolean;
  /** Files that are kept may not be those of its settings. */
  filesOutdated: boolean;
  /** Uptime by month, and when it was read. */
  months: { atMs: number; read: Promise<MonthlyUptime[] | null> } | null;
  /** The last that could be read. */
  lastMonths: MonthlyUptime[] | null;
  readAtMs: number;
  reading: Promise<void> | null;
};

export type Views = {
  /** The page as it is; null: it is gone. Rejects while the database is away and the page was never read. */
  of: (page: ServedPage) => Promise<View | null>;
  /** The page as it is, where nothing has to be read or waited for; else null. */
  current: (page: ServedPage) => View | null;
  /** Uptime of a page's monitors by month, as of the last minutes; null: it cannot be read now. */
  monthsOf: (page: ServedPage, view: View) => Promise<MonthlyUptime[] | null>;
  stop: () => void;
};

export function makeViews(options: ViewsOptions): Views {
  const { reads, listener, directory, clock, elapsedMs, log, firstOwnerOf, canMail } = options;
  const { maxBytes = MAX_BYTES } = options;
  /** In the order of the last look. */
  const entries = new Map<string, Entry>();
  /** Pages of an organization that somebody looked at. */
  const byOrganization = new Map<string, Set<string>>();

  const markAll = (mark: (entry: Entry) => void) => {
    for (const entry of entries.values()) mark(entry);
  };
  const markOrganization = (orgId: string, mark: (entry: Entry) => void) => {
    for (const id of byOrganization.get(orgId) ?? []) {
      const entry = entries.get(id);
      if (entry) mark(entry);
    }
  };
  const happened = (entry: Entry) => {
    entry.dirty = true;
  };
  const restated = (entry: Entry) => {
    entry.dirty = true;
    entry.figuresDirty = true;
    entry.months = null;
  };
  function figuresChanged(id: string | null): void {
    if (id?.startsWith('org_')) markOrganization(id, restated);
  }
  directory.onChange((pageId) => {
    const change = (entry: Entry) => {
      entry.outdated = true;
      restated(entry);
    };
    if (pageId === null) return markAll(change);
    const entry = entries.get(pageId);
    if (entry) change(entry);
  });
  listener.listen(PAGES_CHANNEL, figuresChanged);
  listener.listen(LIVE_CHANNEL, (orgId) =>
    orgId === null ? markAll(restated) : markOrganization(orgId, happened),
  );
  const stops = [onPagesChanged(figuresChanged), onPublished((orgId) => markOrganization(orgId, happened))];

  async function read(pageId: string, entry: Entry): Promise<void> {
    const now = clock();
    // What happens from here on is not in it.
    const was = { figuresDirty: entry.figuresDirty };
    entry.filesOutdated ||= entry.outdated;
    Object.assign(entry, { dirty: false, outdated: false, figuresDirty: false, readAtMs: elapsedMs() });
    try {
      const owner = await firstOwnerOf(entry.orgId, now);
      const readAnew = async (db: Database) => {
        const [page, monitors] = await Promise.all([
          readShownPage(db, pageId),
          readShownMonitors(db, pageId),
        ]);
        if (page === null) {
          entry.view = null;
          return;
        }
        const kept = entry.figures;
        const figures =
          kept === null || was.figuresDirty || now.getTime() - kept.at.getTime() >= READ_AT_LEAST_EVERY_MS
            ? await readFigures(db, monitors, now)
            : kept;
        const { snapshot, named } = await readSnapshot(db, { page, monitors, figures, canMail }, now);
        entry.figures = figures;
        const documents = new Documents(entry.filesOutdated ? undefined : entry.view?.documents);
        entry.filesOutdated = false;
        entry.view = { snapshot, named, documents, ready: new Map(), isLast: false };
        forgetOldest();
      };
      await askingFor({ tenant: { id: entry.orgId, owner } }, () =>
        reads.read([entry.orgId, pageId], readAnew),
      );
    } catch (error) {
      entry.dirty = true;
      entry.figuresDirty ||= was.figuresDirty;
      if (entry.view && !entry.view.isLast)
        entry.view = {
          ...entry.view,
          ...{ documents: new Documents(entry.view.documents), ready: new Map(), isLast: true },
        };
      throw error;
    }
  }

  function refresh(pageId: string, entry: Entry): Promise<void> {
    entry.reading ??= read(pageId, entry)
      .catch((err: unknown) => {
        if (entry.view === null) throw err;
        log.warn({ err, status_page: pageId }, 'a status page cannot be read; the last one is shown');
      })
      .finally(() => {
        entry.reading = null;
      });
    return entry.reading;
  }

  function isDue(entry: Entry): boolean {
    if (entry.view === null || entry.outdated) return true;
    const age = elapsedMs() - entry.readAtMs;
    return age >= READ_AT_LEAST_EVERY_MS || (entry.dirty && age >= READ_AT_MOST_EVERY_MS);
  }

  function forgetOldest(): void {
    let bytes = 0;
    for (const entry of entries.values()) bytes += bytesOf(entry);
    for (const [id, entry] of entries) {
      if (bytes <= maxBytes) return;
      bytes -= bytesOf(entry);
      forget(id);
    }
  }

  function entryOf({ id, orgId }: ServedPage): Entry {
    const known = entries.get(id);
    if (known) return known;
    const entry: Entry = {
      ...{ orgId, view: null, figures: null, months: null, reading: null, readAtMs: 0 },
      ...{ dirty: false, outdated: false, figuresDirty: false, filesOutdated: false, lastMonths: null },
    };
    entries.set(id, entry);
    const own = byOrganization.get(orgId);
    if (own) own.add(id);
    else byOrganization.set(orgId, new Set([id]));
    return entry;
  }

  function forget(id: string): void {
    const orgId = entries.get(id)?.orgId ?? '';
    entries.delete(id);
    const own = byOrganization.get(orgId);
    own?.delete(id);
    if (own?.size === 0) byOrganization.delete(orgId);
  }

  return {
    async of(page) {
      const entry = entryOf(page);
      if (entry.reading || isDue(entry)) {
        // Kept in the order of the last look, which is worth its cost only now and then.
        entries.delete(page.id);
        entries.set(page.id, entry);
        forgetOldest();
        const mustWait = entry.view === null || entry.outdated;
        const newer = refresh(page.id, entry);
        await (mustWait ? newer : Promise.race([newer, patience()]));
        // Its settings changed while it was read.
        if (mustWait && entry.outdated) await refresh(page.id, entry);
      }
      if (entry.view === null) forget(page.id);
      return entry.view;
    },
    current({ id }) {
      const entry = entries.get(id);
      return entry && !entry.reading && !isDue(entry) ? entry.view : null;
    },
    async monthsOf(page, { named }) {
      const entry = entryOf(page);
      if (entry.months === null || elapsedMs() - entry.months.atMs >= MONTHS_AT_MOST_EVERY_MS) {
        const read = reads
          .read([page.orgId, page.id], (db) => readMonths(db, named, clock()))
          .then((months) => {
            entry.lastMonths = months;
            return months;
          })
          .catch((err: unknown) => {
            log.warn({ err, status_page: page.id }, 'the months of a status page cannot be read');
            // Asked for again with the next reading of the page, not by each visitor.
            return entry.lastMonths;
          });
        entry.months = { atMs: elapsedMs(), read };
      }
      return ofNow(await entry.months.read, named);
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}

function bytesOf({ view, figures }: Entry): number {
  let days = 0;
  for (const of of figures?.byNo.values() ?? []) days += of.days.length;
  return days * BYTES_OF_A_DAY + (view?.documents.bytes ?? 0);
}

/** Months are kept for longer than names: a monitor is called as it is now, and one that has left the page is not named. */
function ofNow(months: MonthlyUptime[] | null, named: readonly NamedMonitor[]): MonthlyUptime[] | null {
  const labels = new Map(named.map(({ id, label }) => [id, label]));
  return (
    months?.map(({ month, monitors }) => ({
      month,
      monitors: monitors.flatMap((monitor) => {
        const label = labels.get(monitor.id);
        return label === undefined ? [] : [{ ...monitor, label }];
      }),
    })) ?? null
  );
}

const patience = () => new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
