// Reads pages before the first visitor after a restart, who then need not wait for 90 days of figures
// (docs/rules/status-pages.md#staying-up).
import type { Log } from '#src/platform/log.ts';
import { pageDocument } from './html-routes.ts';
import type { Site } from './site.ts';

/** One after the other, so that a starting server leaves the database to others. */
const MAX_PAGES = 100;
/** A start waits this long at most; the remaining pages are read while visitors come. */
const START_WAITS_MS = 1_000;

export type ReadingAhead = {
  /** Resolves when all pages are read, or the start has waited long enough. Never rejects. */
  soon: Promise<void>;
  stop: () => void;
};

export function startReadingAhead(site: Site, log: Log, waitsMs: number = START_WAITS_MS): ReadingAhead {
  const stopping = new AbortController();
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const limit = setTimeout(resolve, waitsMs);
  const reading = readAhead(site, stopping.signal).catch((err: unknown) => {
    // Visitors read the page they want again.
    log.warn({ err }, 'status pages cannot be read ahead');
  });
  const soon = Promise.race([reading, enough]).finally(() => clearTimeout(limit));
  return { soon, stop: () => stopping.abort() };
}

async function readAhead(site: Site, signal: AbortSignal): Promise<void> {
  const pages = await site.directory.list();
  for (const page of pages.slice(0, MAX_PAGES)) {
    if (signal.aborted) return;
    const view = await site.views.of(page);
    if (view === null) continue;
    const visit = { page, view, isPublic: page.accessMode === 'public' };
    (await pageDocument(site, visit, 'en'))?.gzip();
  }
}
