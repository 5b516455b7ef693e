// Sends documents: compressed if the client accepts it, with an ETag, and with 304 if the client has them already.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Document } from './documents.ts';

/** How long caches may show a copy of a public page without asking, in seconds. */
const FRESH_SECONDS = 5;

export type DocumentOptions = {
  /** The page is open to everybody, so caches on the way may keep a copy. */
  isPublic: boolean;
  status?: number;
  /** The document depends on the language of the client. */
  byLanguage?: boolean;
  /** Other sites may show it in a frame. */
  isFramed?: boolean;
  headers?: Readonly<Record<string, string>>;
  /** Called with the answer that is about to be sent, if it is the whole document. */
  keep?: (sent: { body: Buffer; etag: string }) => void;
};

/** Headers of documents that other sites may read: JSON, badges, feeds. */
export const FOR_OTHER_SITES: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: Document,
  { isPublic, status = 200, byLanguage = false, isFramed = false, headers, keep }: DocumentOptions,
): FastifyReply {
  if (headers) reply.headers(headers);
  if (isFramed) reply.removeHeader('x-frame-options');
  reply.header('content-type', document.type);
  reply.header('vary', byLanguage ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding');
  reply.header('cache-control', isPublic ? `public, max-age=${FRESH_SECONDS}` : 'private, no-cache');
  reply.header('etag', document.etag);
  if (status === 200 && has(request.headers['if-none-match'], document.etag))
    return reply.status(304).removeHeader('content-type').send();
  reply.status(status);
  const body = takesGzip(request.headers['accept-encoding']) ? document.gzip() : document.body;
  if (body !== document.body) reply.header('content-encoding', 'gzip');
  keep?.({ body, etag: document.etag });
  return reply.send(body);
}

/** ETags are compared weakly (RFC 9110, section 13.1.2). */
function has(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  return given === '*' || given.split(',').some((tag) => opaque(tag.trim()) === opaque(etag));
}

const opaque = (tag: string) => tag.replace(/^W\//, '');

/**
 * Whether a client accepts an encoding with a weight other than 0; the same bytes for all spellings. A named encoding takes
 * precedence over `*`.
 */
export function takesGzip(accepted: string | undefined): boolean {
  const named = accepted
    ? (/(?:^|,)\s*gzip\s*(;[^,]*)?(?:,|$)/i.exec(accepted) ?? ANY_CODING.exec(accepted))
    : null;
  return named !== null && !/;\s*q=0(\.0*)?\s*$/i.test(named[1] ?? '');
}

const ANY_CODING = /(?:^|,)\s*\*\s*(;[^,]*)?(?:,|$)/;
