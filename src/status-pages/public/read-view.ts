// When a page in memory is read again, and how: its snapshot, and its figures where they are not those of the last minute.
import type { FirstOwnerOf } from '#src/organizations/first-owner.ts';
import { askingFor } from '#src/platform/db/asker.ts';
import type { Reads } from '#src/platform/db/replica/reads.ts';
import type { Database } from '#src/platform/work.ts';
import { Documents } from './documents.ts';
import { readFigures } from './read-figures.ts';
import { readSnapshot } from './read-snapshot.ts';
import { readShownMonitors, readShownPage } from './shown-page.ts';
import type { Entry } from './view-entries.ts';

export type ReadViewOptions = {
  reads: Reads;
  clock: () => Date;
  /** Monotonic milliseconds: how often a page is read does not depend on a clock that is set. */
  elapsedMs: () => number;
  firstOwnerOf: FirstOwnerOf;
  canMail: boolean;
};

/** At most so often a page is read because of what happened on it, and at least so often while somebody looks. */
const READ_AT_MOST_EVERY_MS = 1_000;
const READ_AT_LEAST_EVERY_MS = 60_000;

/** Whether a page must be read before it is shown. `nowMs`: monotonic, as `readAtMs` of the entry. */
export function isDue(entry: Entry, nowMs: number): boolean {
  if (entry.view === null || entry.outdated) return true;
  const age = nowMs - entry.readAtMs;
  return age >= READ_AT_LEAST_EVERY_MS || (entry.dirty && age >= READ_AT_MOST_EVERY_MS);
}

/**
 * Reads a page into its entry: a new view, or null if the page is gone. If the database does not answer, marks the last view
 * as the last one, leaves the entry due, and throws.
 */
export async function readView(options: ReadViewOptions, pageId: string, entry: Entry): Promise<void> {
  const { reads, clock, elapsedMs, firstOwnerOf } = options;
  const now = clock();
  const { figuresDirty } = entry;
  entry.filesOutdated ||= entry.outdated;
  // Marks that are set from here on are for the next reading.
  Object.assign(entry, { dirty: false, outdated: false, figuresDirty: false, readAtMs: elapsedMs() });
  try {
    const owner = await firstOwnerOf(entry.orgId, now);
    await askingFor({ tenant: { id: entry.orgId, owner } }, () =>
      reads.read([entry.orgId, pageId], (db) =>
        readAnew(db, pageId, entry, { ...options, figuresDirty, now }),
      ),
    );
  } catch (error) {
    entry.dirty = true;
    entry.figuresDirty ||= figuresDirty;
    showAsLast(entry);
    throw error;
  }
}

async function readAnew(
  db: Database,
  pageId: string,
  entry: Entry,
  { canMail, figuresDirty, now }: { canMail: boolean; figuresDirty: boolean; now: Date },
): Promise<void> {
  const [page, monitors] = await Promise.all([readShownPage(db, pageId), readShownMonitors(db, pageId)]);
  if (page === null) {
    entry.view = null;
    return;
  }
  const kept = entry.figures;
  const figures =
    kept === null || figuresDirty || now.getTime() - kept.at.getTime() >= READ_AT_LEAST_EVERY_MS
      ? await readFigures(db, monitors, now)
      : kept;
  const { snapshot, named } = await readSnapshot(db, { page, monitors, figures, canMail }, now);
  entry.figures = figures;
  const documents = new Documents(entry.filesOutdated ? undefined : entry.view?.documents);
  entry.filesOutdated = false;
  entry.view = { snapshot, named, documents, ready: new Map(), isLast: false };
}

/** Visitors are shown the last view with its time: its documents are made anew, and its answers given anew. */
function showAsLast(entry: Entry): void {
  if (entry.view === null || entry.view.isLast) return;
  const documents = new Documents(entry.view.documents);
  entry.view = { ...entry.view, documents, ready: new Map(), isLast: true };
}
