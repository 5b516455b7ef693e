const PART = 20_000;

/**
 * Repeats a bounded DELETE until it finds no more rows, so that no statement hits its time limit and no lock is held for
 * long. `remove` returns the number of rows it removed.
 */
export async function inParts(remove: (atMost: number) => Promise<number>): Promise<void> {
  while ((await remove(PART)) >= PART);
}
