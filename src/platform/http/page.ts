// Lists that can grow come in pages (docs/rules/errors-and-conventions.md#lists-and-pages), which end by rows and by bytes:
// what one answer costs everybody else is bounded, however long the texts in it are.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusals.ts';

const DEFAULT_LIMIT = 100;
/** Rows that are read at a time. */
const READ_AT_A_TIME = 100;
/** A page ends with the row that fills it. */
export const PAGE_BYTES = 2 * 1024 * 1024;

/** Which part of a list: at most `limit` rows, those that follow the row `before` names; null: from the beginning. */
export type Page = { limit: number; before: string | null };

type Asked = {
  query: { limit?: number; before?: string };
  request: FastifyRequest;
  reply: FastifyReply;
};

/**
 * Answers one page, with `Link: <…>; rel="next"` when it was cut at its limit or at PAGE_BYTES. `cursorOf` names a row for
 * `before`.
 */
export async function paged<Row>(
  { query, request, reply }: Asked,
  list: (page: Page) => Promise<Row[]>,
  cursorOf: (row: Row) => string,
): Promise<Row[]> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows: Row[] = [];
  let bytes = 0;
  let isAll = false;
  while (!isAll && rows.length < limit && bytes < PAGE_BYTES) {
    const asked = Math.min(READ_AT_A_TIME, limit - rows.length);
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
  if (last !== undefined && !isAll) {
    const following = new URL(request.url, 'http://localhost');
    following.searchParams.set('before', cursorOf(last));
    reply.header('link', `<${following.pathname}${following.search}>; rel="next"`);
  }
  return rows;
}

type SoFar<Row> = Page & { rows: Row[]; cursorOf: (row: Row) => string };

/** The rows that follow. A last row that was deleted meanwhile names nothing any more, and is taken out. */
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

/** About how many bytes a row is as JSON. */
function weigh(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 2;
  for (const key in value) bytes += key.length + 3 + weigh(value[key as keyof typeof value]);
  return bytes;
}
