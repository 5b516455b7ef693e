const PART = 20_000;

/**
 * Repeats a DELETE of at most so many rows until it finds no more: no statement runs into its time limit, and no lock
 * is held for long. `remove` answers how many rows it removed.
 */
export async function inParts(remove: (atMost: number) => Promise<number>): Promise<void> {
  while ((await remove(PART)) >= PART);
}
