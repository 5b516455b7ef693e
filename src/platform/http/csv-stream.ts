// A list as CSV, sent line by line as it is read: page after page, so that neither memory nor one statement grows with it.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { csvLine } from '../csv.ts';
import { Refusal } from '../refusals.ts';
import type { Page } from './page.ts';

export type CsvColumn<Row> = readonly [name: string, of: (row: Row) => unknown];

/** Rows of a file; a longer list is truncated, and its filters narrow it (docs/rules/errors-and-conventions.md#csv). */
export const MAX_LINES = 100_000;
const PAGE_ROWS = 500;

export type CsvList<Row> = {
  /** Without its extension. */
  name: string;
  columns: readonly CsvColumn<Row>[];
  /** A page of the list, newest first. */
  list: (page: Page) => Promise<Row[]>;
  cursorOf: (row: Row) => string;
  /** Rows of the list that are left out. */
  keep?: (row: Row) => boolean;
};

/** Answers with the list as a file. An invalid query is refused before the first byte. */
export async function sendCsv<Row>(reply: FastifyReply, given: CsvList<Row>): Promise<FastifyReply> {
  const first = await given.list({ limit: PAGE_ROWS, before: null });
  return reply
    .header('content-disposition', `attachment; filename="${given.name}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(Readable.from(lines(given, first)));
}

async function* lines<Row>(given: CsvList<Row>, first: Row[]): AsyncGenerator<string> {
  const { columns, keep = () => true } = given;
  yield csvLine(columns.map(([name]) => name));
  let sent = 0;
  for (let page = first; page.length > 0; page = await following(given, page)) {
    const kept = page.filter(keep).slice(0, MAX_LINES - sent);
    sent += kept.length;
    if (kept.length > 0) yield kept.map((row) => csvLine(columns.map(([, of]) => of(row)))).join('');
    if (page.length < PAGE_ROWS || sent >= MAX_LINES) return;
  }
}

/** The next page. A row that was deleted meanwhile is no longer a cursor, so the row before it is used. */
async function following<Row>({ list, cursorOf }: CsvList<Row>, page: readonly Row[]): Promise<Row[]> {
  for (const row of page.toReversed()) {
    try {
      return await list({ limit: PAGE_ROWS, before: cursorOf(row) });
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 404)) throw error;
    }
  }
  return [];
}
