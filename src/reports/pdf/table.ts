// A table over as many pages as it needs, with its head on each of them.
import { BODY, PAGE, type Part, QUIET, type Sheet, SMALL } from './sheet.ts';
import type { Style } from './text.ts';

export type Cell = {
  text: string;
  /** In small letters below the text. */
  below?: string;
  strong?: boolean;
  quiet?: boolean;
};
export type Column = {
  title: string;
  /** Share of the width that the other columns leave. */
  share: number;
  isFigure?: boolean;
  /** The most lines of its text; 1 by default. */
  lines?: number;
};

const PADDING = 4;
const LINE_HEIGHT = 12;
const SMALL_HEIGHT = 10.5;
const HEAD: Style = { size: 8, weight: 'semibold', color: QUIET };

type Placed = Column & { x: number; width: number };
type Laid = { lines: string[]; below: string[]; style: Style };

/** Draws rows; `foot` is a last row that stands out. */
export function drawTable(
  sheet: Sheet,
  parent: Part,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  foot: readonly Cell[] | null = null,
): void {
  const placed = placeOf(columns);
  const table = sheet.group(parent, 'Table');
  const heads = placed.map(({ title, width }) => sheet.writer.linesOf(title, width, HEAD, 2));
  const headHeight = Math.max(...heads.map((lines) => lines.length)) * SMALL_HEIGHT + PADDING;

  const drawHead = (cell: (i: number, draw: () => void) => void): void => {
    const top = sheet.y();
    for (const [i, column] of placed.entries())
      cell(i, () => {
        for (const [line, text] of (heads[i] ?? []).entries())
          putIn(sheet, column, text, top + line * SMALL_HEIGHT, HEAD);
      });
    sheet.moveTo(top + headHeight);
    sheet.rule(sheet.y());
    sheet.moveTo(sheet.y() + PADDING);
  };

  const drawRow = (cells: readonly Cell[], strong: boolean): void => {
    const laid = placed.map((column, i) => layOut(sheet, column, cells[i] ?? { text: '' }, strong));
    const height = Math.max(...laid.map(heightOf)) + 2 * PADDING;
    // Only the first head is content: on further pages it is decoration.
    if (sheet.makeRoom(height)) drawHead((_, draw) => sheet.decoration(draw));
    const top = sheet.y();
    const row = sheet.group(table, 'TR');
    for (const [i, column] of placed.entries()) {
      const cell = laid[i];
      if (cell) sheet.tagged(row, 'TD', () => drawCell(sheet, column, cell, top));
    }
    row.end();
    sheet.moveTo(top + height - PADDING);
    sheet.rule(sheet.y());
    sheet.moveTo(sheet.y() + PADDING);
  };

  sheet.makeRoom(headHeight + 3 * LINE_HEIGHT);
  const headRow = sheet.group(table, 'TR');
  drawHead((_, draw) => sheet.tagged(headRow, 'TH', draw));
  headRow.end();
  for (const cells of rows) drawRow(cells, false);
  if (foot) drawRow(foot, true);
  table.end();
}

const GAP = 12;

function placeOf(columns: readonly Column[]): Placed[] {
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  const width = PAGE.width - 2 * PAGE.margin - GAP * (columns.length - 1);
  let x: number = PAGE.margin;
  return columns.map((column) => {
    const placed = { ...column, x, width: (width * column.share) / shares };
    x += placed.width + GAP;
    return placed;
  });
}

function layOut(sheet: Sheet, { width, lines = 1 }: Placed, cell: Cell, strong: boolean): Laid {
  const style: Style = {
    ...BODY,
    weight: strong || cell.strong ? 'semibold' : 'regular',
    ...(cell.quiet ? { color: QUIET } : {}),
  };
  return {
    style,
    lines: sheet.writer.linesOf(cell.text, width, style, lines),
    below: cell.below === undefined ? [] : sheet.writer.linesOf(cell.below, width, SMALL, 1),
  };
}

const heightOf = ({ lines, below }: Laid) => lines.length * LINE_HEIGHT + below.length * SMALL_HEIGHT;

function drawCell(sheet: Sheet, column: Placed, { lines, below, style }: Laid, top: number): void {
  for (const [i, text] of lines.entries()) putIn(sheet, column, text, top + i * LINE_HEIGHT, style);
  for (const [i, text] of below.entries())
    putIn(sheet, column, text, top + lines.length * LINE_HEIGHT + i * SMALL_HEIGHT, SMALL);
}

function putIn(sheet: Sheet, { x, width, isFigure }: Placed, text: string, y: number, style: Style): void {
  if (isFigure) sheet.writer.putRight(text, x + width, y, style);
  else sheet.writer.put(text, x, y, style);
}
