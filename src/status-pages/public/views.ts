// The last snapshot of each page with visitors, in memory: a visitor costs only the sending of bytes. A page is read again
// after an event, at most once a second, and its figures once a minute. While the database is away, the last snapshot is shown.

import { LIVE_CHANNEL, onPublished } from '#src/events/publish.ts';
import type { Listener } from '#src/platform/db/listener.ts';
import type { Log } from '#src/platform/log.ts';
import { onPagesChanged, PAGES_CHANNEL } from '../changed.ts';
import type { Directory, ServedPage } from './directory.ts';
import { readMonthsOf } from './months-of-view.ts';
import { isDue, type ReadViewOptions, readView } from './read-view.ts';
import type { MonthlyUptime } from './snapshot.ts';
import { type Entry, makeEntries, type View } from './view-entries.ts';

export type ViewsOptions = ReadViewOptions & {
  listener: Pick<Listener, 'listen'>;
  directory: Directory;
  log: Log;
  /** Memory for all pages together, in bytes. */
  maxBytes?: number;
};

/** A visitor waits this long for a newer page before the last one is shown. */
const PATIENCE_MS = 250;
/** The pages that nobody looked at for the longest are forgotten. */
const MAX_BYTES = 96 * 1024 * 1024;

export type Views = {
  /** The current view of a page; null: it is gone. Rejects while the database is away and the page was never read. */
  of: (page: ServedPage) => Promise<View | null>;
  /** The current view of a page if nothing must be read or waited for; otherwise null. */
  current: (page: ServedPage) => View | null;
  /** Uptime of a page's monitors by month, as of the last minutes; null: it cannot be read now. */
  monthsOf: (page: ServedPage, view: View) => Promise<MonthlyUptime[] | null>;
  stop: () => void;
};

export function makeViews(options: ViewsOptions): Views {
  const { listener, directory, elapsedMs, log, maxBytes = MAX_BYTES } = options;
  const entries = makeEntries(maxBytes);

  function onFiguresChanged(id: string | null): void {
    if (id?.startsWith('org_')) entries.markOrganization(id, markFiguresDirty);
  }
  directory.onChange((pageId) => {
    if (pageId === null) return entries.markAll(markOutdated);
    const entry = entries.get(pageId);
    if (entry) markOutdated(entry);
  });
  listener.listen(PAGES_CHANNEL, onFiguresChanged);
  listener.listen(LIVE_CHANNEL, (orgId) =>
    orgId === null ? entries.markAll(markFiguresDirty) : entries.markOrganization(orgId, markDirty),
  );
  const stops = [
    onPagesChanged(onFiguresChanged),
    onPublished((orgId) => entries.markOrganization(orgId, markDirty)),
  ];

  function refresh(pageId: string, entry: Entry): Promise<void> {
    entry.reading ??= readView(options, pageId, entry)
      .then(() => entries.fit())
      .catch((err: unknown) => {
        if (entry.view === null) throw err;
        log.warn({ err, status_page: pageId }, 'a status page cannot be read; the last one is shown');
      })
      .finally(() => {
        entry.reading = null;
      });
    return entry.reading;
  }

  return {
    async of(page) {
      const entry = entries.of(page);
      if (entry.reading || isDue(entry, elapsedMs())) {
        // The order of the last look is worth its cost only now and then.
        entries.touch(page.id, entry);
        entries.fit();
        const mustWait = entry.view === null || entry.outdated;
        const newer = refresh(page.id, entry);
        await (mustWait ? newer : Promise.race([newer, patience()]));
        // Its settings changed while it was read.
        if (mustWait && entry.outdated) await refresh(page.id, entry);
      }
      if (entry.view === null) entries.forget(page.id);
      return entry.view;
    },
    current({ id }) {
      const entry = entries.get(id);
      return entry && !entry.reading && !isDue(entry, elapsedMs()) ? entry.view : null;
    },
    monthsOf: (page, { named }) => readMonthsOf(options, page, entries.of(page), named),
    stop() {
      for (const stop of stops) stop();
    },
  };
}

function markDirty(entry: Entry): void {
  entry.dirty = true;
}

function markFiguresDirty(entry: Entry): void {
  entry.dirty = true;
  entry.figuresDirty = true;
  entry.months = null;
}

function markOutdated(entry: Entry): void {
  entry.outdated = true;
  markFiguresDirty(entry);
}

const patience = () => new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
