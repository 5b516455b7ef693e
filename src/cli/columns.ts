// Tables on a terminal.

/** Anybody may choose names: nothing in them may move the terminal's cursor. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?');

/** Prints rows of cells, one line each, headings first; every column is as wide as its widest cell. */
export function columns(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
