// A batch is taken together. A monitor whose results cannot be judged (its state is spoilt, say) would have it refused
// for ever, and with it the results of everybody its probe checks: such a monitor is set aside, its results are history.
import { isPassing } from '../platform/db/away.ts';
import type { Log } from '../platform/log.ts';
import { makeResting, noteSetAside, workApart } from '../platform/set-aside.ts';
import type { Tx, Work } from '../platform/work.ts';
import type { Region } from './evaluate.ts';
import { type Numbered, type Stored, storeResults } from './store.ts';
import { takeResults } from './take-results.ts';

export type RunWork = <T>(act: (work: Work) => Promise<T>) => Promise<T>;

/** What became of a batch; `lost` cannot even be stored. */
export type Taken = Stored & { lost: Numbered[] };

export type TakeApart = (
  region: Region,
  read: (tx: Tx) => Promise<Numbered[]>,
  run: RunWork,
  now: Date,
) => Promise<Taken>;

/** Makes the taking of batches of one process, which remembers the monitors that are set aside. */
export function makeTakeApart(log: Log): TakeApart {
  const resting = makeResting<number>();

  async function take(work: Work, region: Region, batch: readonly Numbered[], now: Date): Promise<Stored> {
    if (resting.isEmpty()) return takeResults(work, region, batch);
    const set = resting.at(now.getTime());
    const history = batch.filter(({ no }) => set.has(no));
    const judged = batch.filter(({ no }) => !set.has(no));
    const taken = await takeResults(work, region, judged);
    return sum(taken, await keep(work.tx, region, history));
  }

  /** Those whose rest is over, and which went through. */
  function worked(batch: readonly Numbered[], now: Date): void {
    if (resting.isEmpty()) return;
    const set = resting.at(now.getTime());
    for (const { no } of batch) if (!set.has(no)) resting.worked(no);
  }

  return async (region, read, run, now) => {
    let batch: Numbered[] = [];
    const together = async (work: Work) => {
      batch = await read(work.tx);
      return take(work, region, batch, now);
    };
    try {
      const stored = await run(together);
      worked(batch, now);
      return { ...stored, lost: [] };
    } catch (error) {
      if (isPassing(error) || batch.length === 0) throw error;
    }
    let stored: Stored = { known: 0, inserted: 0 };
    const lost: Numbered[] = [];
    const monitors = [...Map.groupBy(batch, ({ no }) => no)];
    const failed = await workApart(monitors, async (some) => {
      const theirs = some.flatMap(([, results]) => results);
      const taken = await run((work) => take(work, region, theirs, now));
      stored = sum(stored, taken);
      worked(theirs, now);
    });
    for (const { item, error } of failed) {
      const [no, results] = item;
      resting.failed(no, now.getTime());
      noteSetAside(log, 'monitor', { monitor_no: no, region: region.slug }, error);
      const [unkept] = await workApart([results], async () => {
        const kept = await run((work) => keep(work.tx, region, results));
        stored = sum(stored, kept);
      });
      if (unkept) lost.push(...results);
    }
    return { ...stored, lost };
  };
}

const keep = async (tx: Tx, region: Region, results: readonly Numbered[]): Promise<Stored> =>
  results.length === 0 ? { known: 0, inserted: 0 } : storeResults(tx, region.no, results);

const sum = (a: Stored, b: Stored): Stored => ({
  known: a.known + b.known,
  inserted: a.inserted + b.inserted,
});
