// Lists that can grow come in pages (decisions, section 1).
import type { FastifyReply, FastifyRequest } from 'fastify';

const DEFAULT_LIMIT = 100;

/** Which part of a list: at most `limit` rows, those that follow the row `before` names; null: from the beginning. */
export type Page = { limit: number; before: string | null };

type Asked = {
  query: { limit?: number; before?: string };
  request: FastifyRequest;
  reply: FastifyReply;
};

/** Answers one page, with `Link: <…>; rel="next"` when it was cut at its limit. `cursorOf` names a row for `before`. */
export async function paged<Row>(
  { query, request, reply }: Asked,
  list: (page: Page) => Promise<Row[]>,
  cursorOf: (row: Row) => string,
): Promise<Row[]> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await list({ limit, before: query.before ?? null });
  const last = rows.at(-1);
  if (last !== undefined && rows.length >= limit) {
    const next = new URL(request.url, 'http://localhost');
    next.searchParams.set('before', cursorOf(last));
    reply.header('link', `<${next.pathname}${next.search}>; rel="next"`);
  }
  return rows;
}
