// A page of monitors: rows that have not changed since they were last shown are not read again
// (docs/adr/0047-lists-from-versions.md).
//
//   versions ─► unchanged rows, from memory ─► the others, read, shown and remembered ─► rows as JSON
//
// Memory is never used without the current versions, so a change committed by one server is in the next answer of every other.
import { sql } from 'kysely';
import { inTransaction } from '#src/platform/db/transaction.ts';
import { PAGE_BYTES } from '#src/platform/http/page.ts';
import type { Database, Tx } from '#src/platform/work.ts';
import { Memory, type Shown, type ShownBy } from './memory.ts';
import { readVersions, type Selection, type Versions } from './versions.ts';

/** The number of rows read first; each further read doubles it. Long configs must not fill the memory. */
const READ_FIRST = 100;

/** How one kind of row is read and shown. */
export type Kind<Row extends ShownBy> = {
  /** In one statement, so that a row and its versions are of the same moment. */
  read: (tx: Tx, asked: Selection, now: Date) => Promise<Row[]>;
  show: (row: Row, now: Date) => Shown;
};

/** `isAll`: nothing follows. */
export type ShownPage = { rows: Shown[]; isAll: boolean };

export class ShownMonitors<Row extends ShownBy> {
  readonly #kind: Kind<Row>;
  readonly #memory = new Memory();

  constructor(kind: Kind<Row>) {
    this.#kind = kind;
  }

  /** At most `limit` rows and about PAGE_BYTES; leaves out a monitor that is being deleted. */
  async page(db: Database, asked: Selection, now: Date): Promise<ShownPage> {
    const versions = await readVersions(db, asked, now);
    const { nos } = versions;
    const fresh = new Map<string, Shown>();
    const rows: Shown[] = [];
    let bytes = 0;
    let place = 0;
    for (let most = READ_FIRST; place < nos.length && bytes < PAGE_BYTES; place++) {
      const no = nos[place] ?? '';
      let shown = fresh.get(no) ?? this.#memory.current(versions, place, now);
      if (shown === undefined) {
        // Checks the conditions again: the monitor may have moved out of the reader's sight.
        const changed = sql`monitors.no = ANY(${this.#changed(versions, place, now, most)}::int[])`;
        const read = await this.#read(db, { ...asked, conditions: [...asked.conditions, changed] }, now);
        for (const { no, shown } of read) fresh.set(no, shown);
        most *= 2;
        shown = fresh.get(no);
      }
      if (shown === undefined) continue;
      rows.push(shown);
      bytes += shown.json.length;
    }
    return { rows, isAll: place === nos.length && nos.length < asked.limit };
  }

  /** The same without memory: for conditions that no version covers. */
  async anew(db: Database, asked: Selection, now: Date): Promise<ShownPage> {
    const all = await this.#read(db, asked, now);
    let bytes = 0;
    const rows = all.filter(({ shown }) => {
      const fits = bytes < PAGE_BYTES;
      bytes += shown.json.length;
      return fits;
    });
    return {
      rows: rows.map(({ shown }) => shown),
      isAll: rows.length === all.length && all.length < asked.limit,
    };
  }

  /** The numbers of the first monitors from a position on that look different now. */
  #changed(versions: Versions, from: number, now: Date, most: number): number[] {
    const changed: number[] = [];
    for (let place = from; place < versions.nos.length && changed.length < most; place++)
      if (this.#memory.current(versions, place, now) === undefined) changed.push(Number(versions.nos[place]));
    return changed;
  }

  async #read(db: Database, asked: Selection, now: Date): Promise<{ no: string; shown: Shown }[]> {
    // Planning a query for the newest checks of each monitor takes longer than running it.
    const rows = await inTransaction(db, (tx) => this.#kind.read(tx, asked, now), { keepPlans: true });
    return rows.map((row) => {
      const shown = this.#kind.show(row, now);
      this.#memory.keep(shown, row);
      return { no: String(row.no), shown };
    });
  }
}
