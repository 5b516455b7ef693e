// Reads paginated lists whole.
import { MAX_PAGE } from './read.ts';

/**
 * Reads page after page until one is not full. `pageBefore` gets the last row's cursor, as the list expects it, and
 * undefined for the first page. `onRows` gets the rows so far whenever another page follows.
 */
export async function everyPage<Row>(
  pageBefore: (query: { limit: number; before?: string }) => Promise<Row[]>,
  cursorOf: (row: Row) => string,
  onRows: (rows: Row[]) => void = () => undefined,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await pageBefore(last === undefined ? MAX_PAGE : { ...MAX_PAGE, before: cursorOf(last) });
    rows.push(...page);
    if (page.length < MAX_PAGE.limit) return rows;
    onRows([...rows]);
  }
}
