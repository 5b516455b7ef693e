// A batch is one transaction. A monitor that cannot be decided (its stored state is broken, say) would fail it again and again,
// and with it the results of all other monitors of that probe. So a failing batch is split, and the monitor at fault is set
// aside: its results are stored but not decided.
import { isPassing } from '../platform/db/away.ts';
import type { Log } from '../platform/log.ts';
import { bisectFailures, makeSetAside, noteSetAside } from '../platform/set-aside.ts';
import type { Tx, Work, WorkOptions } from '../platform/work.ts';
import { type NumberedResult, type Region, type Stored, storeResults } from './store.ts';

export type RunWork = <T>(act: (work: Work) => Promise<T>, options?: WorkOptions) => Promise<T>;

type ProcessResults = (work: Work, region: Region, batch: readonly NumberedResult[]) => Promise<Stored>;

/** Counts of a batch; the results in `lost` could not even be stored. */
export type Ingested = Stored & { lost: NumberedResult[] };

export type ProcessIsolated = (
  region: Region,
  read: (tx: Tx) => Promise<NumberedResult[]>,
  run: RunWork,
  now: Date,
) => Promise<Ingested>;

/** Wraps `processResults`, so that a monitor at fault fails alone. Each process remembers the monitors that it has set aside. */
export function isolatingFailures(processResults: ProcessResults, log: Log): ProcessIsolated {
  const setAside = makeSetAside<number>();

  async function take(
    work: Work,
    region: Region,
    batch: readonly NumberedResult[],
    now: Date,
  ): Promise<Stored> {
    if (setAside.isEmpty()) return processResults(work, region, batch);
    const set = setAside.at(now.getTime());
    const stored = await processResults(
      work,
      region,
      batch.filter(({ no }) => !set.has(no)),
    );
    const undecided = batch.filter(({ no }) => set.has(no));
    return sum(stored, await storeOnly(work.tx, region, undecided));
  }

  /** The batch succeeded: forgets the failures of monitors in it that are no longer set aside. */
  function noteWorking(batch: readonly NumberedResult[], now: Date): void {
    if (setAside.isEmpty()) return;
    const set = setAside.at(now.getTime());
    for (const { no } of batch) if (!set.has(no)) setAside.worked(no);
  }

  return async (region, read, run, now) => {
    let batch: NumberedResult[] = [];
    const together = async (work: Work) => {
      batch = await read(work.tx);
      return take(work, region, batch, now);
    };
    try {
      const stored = await run(together);
      noteWorking(batch, now);
      return { ...stored, lost: [] };
    } catch (error) {
      if (isPassing(error) || batch.length === 0) throw error;
    }
    let stored: Stored = { known: 0, inserted: 0 };
    const lost: NumberedResult[] = [];
    const monitors = [...Map.groupBy(batch, ({ no }) => no)];
    const failed = await bisectFailures(monitors, async (some) => {
      const part = some.flatMap(([, results]) => results);
      const added = await run((work) => take(work, region, part, now));
      stored = sum(stored, added);
      noteWorking(part, now);
    });
    for (const { item, error } of failed) {
      const [no, results] = item;
      setAside.failed(no, now.getTime());
      noteSetAside(log, 'monitor', { monitor_no: no, region: region.slug }, error);
      const [unstored] = await bisectFailures([results], async () => {
        const kept = await run((work) => storeOnly(work.tx, region, results));
        stored = sum(stored, kept);
      });
      if (unstored) lost.push(...results);
    }
    return { ...stored, lost };
  };
}

const storeOnly = async (tx: Tx, region: Region, results: readonly NumberedResult[]): Promise<Stored> =>
  results.length === 0 ? { known: 0, inserted: 0 } : storeResults(tx, region.no, results);

const sum = (a: Stored, b: Stored): Stored => ({
  known: a.known + b.known,
  inserted: a.inserted + b.inserted,
});
