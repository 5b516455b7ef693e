// Answers that were sent before and are still current: kept with their headers, and sent again without the framework. Only
// documents of public pages, while their view is current.
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageLanguage } from '#src/domain/names.ts';
import type { AnswerFirst } from '#src/platform/http/answer-first.ts';
import { hasClearHost } from '#src/platform/http/unparsable.ts';
import { virtualHostOf } from '#src/platform/http/virtual-host.ts';
import { takesGzip } from './answer.ts';
import type { Directory } from './directory.ts';
import type { Ready } from './documents.ts';
import type { View } from './view-entries.ts';
import type { Views } from './views.ts';
import { languageOf } from './words.ts';

/** Answers of one view: its documents in two languages, compressed or not, under a few names. */
const MAX_PER_VIEW = 200;
const PLAIN_PATH = /^\/(?:status|public\/status-pages)\/([a-z0-9-]{1,100})(?:\/[\w./-]{0,100})?$/;

/** Keeps an answer that is about to be sent, with all its headers. */
export function keepReady(
  request: FastifyRequest,
  reply: FastifyReply,
  { ready }: Pick<View, 'ready'>,
  { body, etag }: Pick<Ready, 'body' | 'etag'>,
): void {
  const key = keyOf(request.raw, pathOf(request.raw.url ?? ''));
  if (key === null || ready.size >= MAX_PER_VIEW) return;
  const headers = { ...reply.getHeaders(), 'content-length': body.length } as OutgoingHttpHeaders;
  ready.set(key, { headers, body, etag });
}

/** Sends answers that are ready; the routes handle all other requests. */
export function makeAnswerReady(directory: Directory, views: Views): AnswerFirst {
  return (request, response, url) => {
    const { method, headers } = request;
    if ((method !== 'GET' && method !== 'HEAD') || !hasClearHost(request)) return false;
    const path = pathOf(url);
    const page = directory.known(PLAIN_PATH.exec(path)?.[1] ?? '');
    if (page?.accessMode !== 'public') return false;
    const key = keyOf(request, path);
    const found = key === null ? undefined : views.current(page)?.ready.get(key);
    if (found === undefined) return false;
    const given = headers['if-none-match'];
    if (given !== undefined) {
      // The routes compare lists, and ETags of earlier versions.
      if (given !== found.etag) return false;
      const {
        'content-type': _type,
        'content-length': _length,
        'content-encoding': _coding,
        ...others
      } = found.headers;
      response.writeHead(304, others).end();
      return true;
    }
    response.writeHead(200, found.headers).end(found.body);
    return true;
  };
}

const pathOf = (url: string) => {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
};

/** The inputs of an answer beside the view; null: there are others. */
function keyOf(request: IncomingMessage, path: string): string | null {
  const host = virtualHostOf(request);
  const { headers } = request;
  if (host.kind === 'nowhere' || !PLAIN_PATH.test(path)) return null;
  // Without a certificate, the addresses in a page follow the scheme of the request.
  if (host.kind === 'page' && !host.isCertified) return null;
  // A body would have to be read.
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return null;
  const at = host.kind === 'page' ? host.domain : '';
  return `${at} ${path} ${languageFor(headers['accept-language'])} ${takesGzip(headers['accept-encoding'])}`;
}

/** Visitors send the same few headers again and again. */
const languages = new Map<string, PageLanguage>();
const MAX_LANGUAGES = 1_000;

function languageFor(accepted: string | undefined): PageLanguage {
  const known = languages.get(accepted ?? '');
  if (known !== undefined) return known;
  const language = languageOf(accepted);
  if (languages.size >= MAX_LANGUAGES) languages.clear();
  languages.set(accepted ?? '', language);
  return language;
}
