// Monitors as one process showed them last, and whether they still look the same.
import type { Versions } from './versions.ts';

/** Bytes of the rows in memory; up to twice as many for a while, until half of them are dropped. */
const MAX_BYTES = 8 * 1024 * 1024;

/** A row as it is sent. */
export type Shown = { id: string; json: Buffer };

/** The versions that a row was made from; all read at one moment. */
export type ShownBy = {
  no: number;
  /** As `Versions` has them. */
  row_version: string;
  state_version: string;
  inherited: string;
  in_maintenance_until: Date | null;
  /** See `Reporting`; null: the monitor always has data. */
  reports_until: readonly (readonly [number, number])[] | null;
};

type Remembered = Shown & Omit<ShownBy, 'no' | 'in_maintenance_until'> & { maintenance: number | undefined };

export class Memory {
  // Two generations: a row that is read moves to the younger one, and the older one is dropped as a whole.
  #young = new Map<string, Remembered>();
  #old = new Map<string, Remembered>();
  #youngBytes = 0;

  /** The row of a monitor, at its position in `versions`, if it would still look the same. */
  current(versions: Versions, place: number, now: Date): Shown | undefined {
    const no = versions.nos[place] ?? '';
    const known = this.#find(no);
    if (
      known === undefined ||
      known.row_version !== versions.rows[place] ||
      known.state_version !== versions.states[place] ||
      known.inherited !== versions.inherited ||
      known.maintenance !== versions.maintenance[no]
    )
      return undefined;
    const reports = ([region, untilMs]: readonly [number, number]) =>
      untilMs > now.getTime() && versions.online.has(region);
    return known.reports_until === null || known.reports_until.some(reports) ? known : undefined;
  }

  /** A monitor without data may have some at any moment, and is not kept. */
  keep(shown: Shown, by: ShownBy): void {
    if (by.reports_until?.length === 0) return;
    const { no, row_version, state_version, inherited, reports_until, in_maintenance_until } = by;
    const maintenance = in_maintenance_until?.getTime();
    this.#add(String(no), { ...shown, row_version, state_version, inherited, reports_until, maintenance });
  }

  #find(no: string): Remembered | undefined {
    const young = this.#young.get(no);
    if (young !== undefined) return young;
    const old = this.#old.get(no);
    if (old !== undefined) this.#add(no, old);
    return old;
  }

  #add(no: string, row: Remembered): void {
    this.#youngBytes += row.json.length - (this.#young.get(no)?.json.length ?? 0);
    this.#young.set(no, row);
    if (this.#youngBytes < MAX_BYTES) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}
