// The pages in the memory of a process: by page, in the order of the last look, within a limit of bytes.

import type { ServedPage } from './directory.ts';
import type { Documents, Ready } from './documents.ts';
import type { Figures } from './read-figures.ts';
import type { NamedMonitor } from './read-snapshot.ts';
import type { MonthlyUptime, Snapshot } from './snapshot.ts';

export type View = {
  snapshot: Snapshot;
  named: readonly NamedMonitor[];
  documents: Documents;
  /** Answers that were sent with it (ready.ts). */
  ready: Map<string, Ready>;
  /** The database has not answered since: visitors see it with its time. */
  isLast: boolean;
};

/** Memory for one day of a monitor, measured: nearly all memory of a page apart from its documents. */
const BYTES_OF_A_DAY = 112;

export type Entry = {
  orgId: string;
  view: View | null;
  figures: Figures | null;
  /** An event occurred: read it again, within the second. */
  dirty: boolean;
  /** Its settings changed: the view no longer shows the owner's settings. */
  outdated: boolean;
  figuresDirty: boolean;
  /** The kept files may not be those of its settings. */
  filesOutdated: boolean;
  /** Uptime by month, and the time it was read. */
  months: { atMs: number; read: Promise<MonthlyUptime[] | null> } | null;
  /** The last months that could be read. */
  lastMonths: MonthlyUptime[] | null;
  readAtMs: number;
  reading: Promise<void> | null;
};

export type Entries = {
  get(pageId: string): Entry | undefined;
  /** The entry of a page; a new one if there is none. */
  of(page: ServedPage): Entry;
  /** Marks the page as looked at last, so that it is forgotten last. */
  touch(pageId: string, entry: Entry): void;
  forget(pageId: string): void;
  /** Forgets the pages that nobody looked at for the longest, until the rest fits. */
  fit(): void;
  markAll(mark: (entry: Entry) => void): void;
  markOrganization(orgId: string, mark: (entry: Entry) => void): void;
};

/** `maxBytes`: for all pages together. */
export function makeEntries(maxBytes: number): Entries {
  /** In the order of the last look. */
  const entries = new Map<string, Entry>();
  /** Pages of an organization that somebody looked at. */
  const byOrganization = new Map<string, Set<string>>();

  function forget(id: string): void {
    const orgId = entries.get(id)?.orgId ?? '';
    entries.delete(id);
    const own = byOrganization.get(orgId);
    own?.delete(id);
    if (own?.size === 0) byOrganization.delete(orgId);
  }

  return {
    get: (id) => entries.get(id),
    of({ id, orgId }) {
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
    },
    touch(id, entry) {
      entries.delete(id);
      entries.set(id, entry);
    },
    forget,
    fit() {
      let bytes = 0;
      for (const entry of entries.values()) bytes += bytesOf(entry);
      for (const [id, entry] of entries) {
        if (bytes <= maxBytes) return;
        bytes -= bytesOf(entry);
        forget(id);
      }
    },
    markAll(mark) {
      for (const entry of entries.values()) mark(entry);
    },
    markOrganization(orgId, mark) {
      for (const id of byOrganization.get(orgId) ?? []) {
        const entry = entries.get(id);
        if (entry) mark(entry);
      }
    },
  };
}

function bytesOf({ view, figures }: Entry): number {
  let days = 0;
  for (const of of figures?.byNo.values() ?? []) days += of.days.length;
  return days * BYTES_OF_A_DAY + (view?.documents.bytes ?? 0);
}
