// Uptime of a page's monitors by month: read at most every five minutes, however many visitors ask.
import type { Reads } from '#src/platform/db/replica/reads.ts';
import type { Log } from '#src/platform/log.ts';
import type { ServedPage } from './directory.ts';
import { readMonths } from './read-figures.ts';
import type { NamedMonitor } from './read-snapshot.ts';
import type { MonthlyUptime } from './snapshot.ts';
import type { Entry } from './view-entries.ts';

export type MonthsOptions = { reads: Reads; clock: () => Date; elapsedMs: () => number; log: Log };

const MONTHS_AT_MOST_EVERY_MS = 300_000;

/** The months as they were read last, of the monitors `named`; null: they could never be read. */
export async function readMonthsOf(
  { reads, clock, elapsedMs, log }: MonthsOptions,
  page: ServedPage,
  entry: Entry,
  named: readonly NamedMonitor[],
): Promise<MonthlyUptime[] | null> {
  if (entry.months === null || elapsedMs() - entry.months.atMs >= MONTHS_AT_MOST_EVERY_MS) {
    const read = reads
      .read([page.orgId, page.id], (db) => readMonths(db, named, clock()))
      .then((months) => {
        entry.lastMonths = months;
        return months;
      })
      .catch((err: unknown) => {
        log.warn({ err, status_page: page.id }, 'the months of a status page cannot be read');
        // The next reading of the page asks for them again, not each visitor.
        return entry.lastMonths;
      });
    entry.months = { atMs: elapsedMs(), read };
  }
  return ofNow(await entry.months.read, named);
}

/** Gives the months, which are kept for longer than names, the names of now; drops the monitors that have left the page. */
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
