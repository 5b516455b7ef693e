// Lists that can grow come in pages (docs/rules/errors-and-conventions.md#lists-and-pages), bounded in rows and in bytes, so
// that long texts cannot make one answer expensive for everybody else.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusals.ts';

const DEFAULT_LIMIT = 100;
/**
 * Rows read first, unless the list knows that its rows are larger; each further read doubles it, as far as the rows probably
 * fit.
 */
const READ_FIRST = 100;
/** A page ends with the row that reaches this size. */
export const PAGE_BYTES = 2 * 1024 * 1024;

/** Part of a list: at most `limit` rows after the row that `before` names; null: from the beginning. */
export type Page = { limit: number; before: string | null };

type PageRequest = {
  query: { limit?: number; before?: string };
  request: FastifyRequest;
  reply: FastifyReply;
};

/**
 * Returns one page, and sets `Link: <…>; rel="next"` if `limit` or PAGE_BYTES cut it. `cursorOf` names a row for
 * `before`.
 */
export async function paged<Row>(
  { query, request, reply }: PageRequest,
  list: (page: Page) => Promise<Row[]>,
  cursorOf: (row: Row) => string,
  { readFirst = READ_FIRST }: { readFirst?: number } = {},
): Promise<Row[]> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows: Row[] = [];
  let bytes = 0;
  let isAll = false;
  for (let most = readFirst; !isAll && rows.length < limit && bytes < PAGE_BYTES; most *= 2) {
    const fitting = rows.length === 0 ? most : Math.ceil((PAGE_BYTES - bytes) / (bytes / rows.length));
    const asked = Math.min(most, fitting, limit - rows.length);
    const part = await next(list, { rows, cursorOf, limit: asked, before: query.before ?? null });
    isAll = part.length < asked;
    for (const row of part) {
      if (bytes >= PAGE_BYTES) {
        isAll = false;
        break;
      }
      rows.push(row);
      bytes += weigh(row);
    }
  }
  const last = rows.at(-1);
  if (last !== undefined && !isAll) linkNext({ request, reply }, cursorOf(last));
  return rows;
}

/** `paged` for a list that cuts its own pages, and whose rows are serialized already. */
export async function pagedWritten(
  { query, ...asked }: PageRequest,
  list: (page: Page) => Promise<{ rows: readonly { id: string; json: Buffer }[]; isAll: boolean }>,
): Promise<Buffer> {
  const { rows, isAll } = await list({ limit: query.limit ?? DEFAULT_LIMIT, before: query.before ?? null });
  const last = rows.at(-1);
  if (last !== undefined && !isAll) linkNext(asked, last.id);
  return arrayOf(rows);
}

function linkNext({ request, reply }: Pick<PageRequest, 'request' | 'reply'>, before: string): void {
  const following = new URL(request.url, 'http://localhost');
  following.searchParams.set('before', before);
  reply.header('link', `<${following.pathname}${following.search}>; rel="next"`);
}

/** A JSON array of JSON values. */
function arrayOf(rows: readonly { json: Buffer }[]): Buffer {
  const commas = Math.max(0, rows.length - 1);
  const bytes = Buffer.allocUnsafe(rows.reduce((sum, { json }) => sum + json.length, 2 + commas));
  let at = bytes.write('[');
  for (const [i, { json }] of rows.entries()) {
    if (i > 0) at += bytes.write(',', at);
    bytes.set(json, at);
    at += json.length;
  }
  bytes.write(']', at);
  return bytes;
}

type SoFar<Row> = Page & { rows: Row[]; cursorOf: (row: Row) => string };

/** The rows that follow. Drops a last row that was deleted meanwhile, as it can no longer serve as a cursor. */
async function next<Row>(
  list: (page: Page) => Promise<Row[]>,
  { rows, cursorOf, limit, before }: SoFar<Row>,
): Promise<Row[]> {
  for (;;) {
    const last = rows.at(-1);
    try {
      return await list({ limit, before: last === undefined ? before : cursorOf(last) });
    } catch (error) {
      if (last === undefined || !(error instanceof Refusal && error.status === 404)) throw error;
      rows.pop();
    }
  }
}

/** Size of a row as JSON, in characters. */
const weigh = (row: unknown): number => JSON.stringify(row).length;
