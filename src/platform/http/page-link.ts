import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends `Link: <…>; rel="next"` when a list was cut at its limit (decisions, section 1). `before` is where the next page starts. */
export function pageLink(
  request: FastifyRequest,
  reply: FastifyReply,
  limit: number,
  length: number,
  before: string | number | undefined,
): void {
  if (length < limit || before === undefined) return;
  const next = new URL(request.url, 'http://localhost');
  next.searchParams.set('before', String(before));
  reply.header('link', `<${next.pathname}${next.search}>; rel="next"`);
}
