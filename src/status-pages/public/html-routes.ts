// The pages that people open: the status page, its history, an incident, the widget; each in the visitor's language, or in the
// language in the address (`/status/{slug}/de`).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_LANGUAGES, type PageLanguage } from '#src/domain/names.ts';
import { isDatabaseAway } from '#src/platform/db/away.ts';
import { FOR_OTHER_SITES, sendDocument } from './answer.ts';
import type { ServedPage } from './directory.ts';
import { type Document, makeDocument } from './documents.ts';
import { renderEmbed } from './embed.ts';
import { type Locked, renderLocked } from './locked.ts';
import { renderAway, renderNotFound } from './not-found.ts';
import { EMBED_HEADERS, PAGE_HEADERS, renderHistory, renderIncident, renderPage } from './page.ts';
import {
  type Address,
  addressOf,
  isOld,
  keepOf,
  ownAddress,
  type Site,
  shownAt,
  textOf,
  type Visit,
  visit,
} from './site.ts';
import type { Shown } from './snapshot.ts';
import { languageOf } from './words.ts';

type PageRequest = FastifyRequest<{ Params: { slug: string; '*'?: string } }>;

const HTML = 'text/html; charset=utf-8';

export function serveHtml(http: FastifyInstance, site: Site): void {
  const serve = async (request: PageRequest, reply: FastifyReply) => {
    const { slug } = request.params;
    const at = addressOf(site, request, slug);
    const named = pathOf(request.params['*'] ?? '');
    const language = named.language ?? languageOf(request.headers['accept-language']);
    const byLanguage = named.language === null;
    try {
      const found = await visit(site, request, slug);
      if ('refused' in found && found.refused === 'locked') {
        return sendText(request, reply, renderLocked(lockOf(site, at, found.page, language)), 401);
      }
      const prefix = named.language === null ? '' : `/${named.language}`;
      const made =
        'refused' in found ? null : await documentOf(site, found, named.path, shownAt(at, language, prefix));
      if (made === null || 'refused' in found) return sendText(request, reply, renderNotFound(language), 404);
      return sendDocument(request, reply, made.document, {
        isPublic: found.isPublic,
        byLanguage,
        isFramed: named.path === 'embed',
        headers: { ...made.headers, 'content-language': language },
        ...(found.isPublic && named.path !== 'history' ? { keep: keepOf(request, reply, found) } : {}),
      });
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      reply.header('retry-after', '5');
      return sendText(request, reply, renderAway(language), 503);
    }
  };
  http.get('/status/:slug', serve);
  http.get('/status/:slug/*', serve);
  http.get('/public/status-pages/:slug/embed', (request: PageRequest, reply) => {
    request.params['*'] = 'embed';
    return serve(request, reply);
  });
}

/** A path below a page, without a leading language. */
function pathOf(rest: string): { language: PageLanguage | null; path: string } {
  const [first = '', ...others] = rest.split('/');
  const language = PAGE_LANGUAGES.find((known) => known === first) ?? null;
  return { language, path: (language === null ? [first, ...others] : others).join('/').replace(/\/$/, '') };
}

type Made = { document: Document; headers: Readonly<Record<string, string>> };

/** The page itself below the installation's address, in a language. */
export async function pageDocument(
  site: Site,
  found: Visit,
  language: PageLanguage,
): Promise<Document | null> {
  const shown = shownAt(ownAddress(site.baseUrl, found.page.slug), language);
  return (await documentOf(site, found, '', shown))?.document ?? null;
}

/** The document at a path of a page; null: there is none. */
async function documentOf(site: Site, found: Visit, path: string, shown: Shown): Promise<Made | null> {
  const { page, view } = found;
  const { snapshot, isLast } = view;
  const asOf = isLast || isOld(site, snapshot);
  const name = `${shown.url} ${path} ${shown.language} ${shown.path} ${asOf}`;
  const framed = { ...EMBED_HEADERS, ...(found.isPublic ? FOR_OTHER_SITES : {}) };
  if (path === '')
    return {
      document: textOf(view, name, HTML, () =>
        renderPage(snapshot, shown, { asOf, subscribe: snapshot.page.subscribable }),
      ),
      headers: PAGE_HEADERS,
    };
  if (path === 'embed')
    return {
      document: textOf(view, name, HTML, () => renderEmbed(snapshot, shown, { asOf })),
      headers: framed,
    };
  if (path === 'history') {
    const months = await site.views.monthsOf(page, view);
    const document = textOf(view, name, HTML, () => renderHistory(snapshot, shown, months, { asOf }));
    return { document, headers: PAGE_HEADERS };
  }
  const incidentId = /^incidents\/([\w]{1,40})$/.exec(path)?.[1];
  if (incidentId === undefined || !snapshot.incidents.some(({ id }) => id === incidentId)) return null;
  const document = view.documents.get(name, () => {
    const text = renderIncident(snapshot, shown, incidentId, { asOf });
    return text === null ? null : makeDocument(HTML, text);
  });
  return document && { document, headers: PAGE_HEADERS };
}

/** The form of a locked page, before anything was sent. */
export function lockOf(
  site: Site,
  { home, publicPath }: Address,
  page: ServedPage,
  language: PageLanguage,
): Locked {
  if (page.accessMode === 'shared_password')
    return { kind: 'password', language, action: `${publicPath}/unlock`, forgotHref: null, problem: null };
  const forgotHref = site.canMail ? `${home}/forgot-password` : null;
  return { kind: 'viewer', language, action: `${publicPath}/login`, forgotHref, problem: null };
}

/** A small page, rendered for one visitor. */
export function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  status: number,
): FastifyReply {
  return sendDocument(request, reply, makeDocument(HTML, text), {
    ...{ isPublic: false, status, byLanguage: true },
    headers: { 'x-robots-tag': 'noindex', ...PAGE_HEADERS },
  });
}
