// The other documents of a page: JSON, badges, feeds, calendar, logos, widget (docs/rules/status-pages.md#beside-the-page).
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound, refuse } from '#src/platform/refusals.ts';
import { badgeOf } from './badge.ts';
import { calendarOf } from './calendar.ts';
import { BADGE_STYLES } from './contract.ts';
import { makeDocument } from './documents.ts';
import { atomOf, rssOf } from './feed.ts';
import { LOGO_HEADERS, readLogo } from './logos.ts';
import { publicJsonOf } from './public-json.ts';
import {
  addressOf,
  type BadgeStyle,
  isOld,
  keepOf,
  type Site,
  sendToAll,
  shownAt,
  textOf,
  visitOrRefuse,
} from './site.ts';
import type { Shown, Snapshot } from './snapshot.ts';
import { summaryOf } from './summary.ts';
import { languageOf } from './words.ts';

type OfPage = FastifyRequest<{ Params: { slug: string } }>;
type OfBadge = FastifyRequest<{ Params: { slug: string }; Querystring: Record<string, unknown> }>;

const JSON_TYPE = 'application/json; charset=utf-8';

/** Documents made from the snapshot alone: path, media type, and renderer. In English, unless in languages. */
const TEXTS: readonly [
  path: string,
  type: string,
  make: (snapshot: Snapshot, shown: Shown) => string,
  inLanguages: boolean,
][] = [
  ['', JSON_TYPE, (snapshot, shown) => JSON.stringify(publicJsonOf(snapshot, shown)), false],
  ['/summary.json', JSON_TYPE, (snapshot, shown) => JSON.stringify(summaryOf(snapshot, shown)), false],
  ['/feed.rss', 'application/rss+xml; charset=utf-8', rssOf, true],
  ['/feed.atom', 'application/atom+xml; charset=utf-8', atomOf, true],
  ['/maintenance.ics', 'text/calendar; charset=utf-8', calendarOf, true],
];

export function serveBeside(http: FastifyInstance, site: Site): void {
  for (const [path, type, make, inLanguages] of TEXTS)
    http.get(`/public/status-pages/:slug${path}`, async (request: OfPage, reply) => {
      const { slug } = request.params;
      const found = await visitOrRefuse(site, request, slug);
      const language = inLanguages ? languageOf(request.headers['accept-language']) : 'en';
      const at = addressOf(site, request, slug);
      const document = textOf(found.view, `${at.url} ${path} ${language}`, type, () =>
        make(found.view.snapshot, shownAt(at, language)),
      );
      const keep = found.isPublic ? { keep: keepOf(request, reply, found) } : {};
      return sendToAll(request, reply, found, document, { byLanguage: inLanguages, ...keep });
    });

  http.get('/public/status-pages/:slug/badge.svg', async (request: OfBadge, reply) => {
    const { slug } = request.params;
    const found = await visitOrRefuse(site, request, slug);
    const monitorId = given(request.query, 'monitor');
    const metric = given(request.query, 'metric') ?? 'status';
    if (metric !== 'status' && metric !== 'uptime')
      refuse('invalid_request', 'metric is status or uptime.', { field: 'metric' });
    const style = given(request.query, 'style') ?? 'flat';
    if (!isStyle(style))
      refuse('invalid_request', `style is one of ${BADGE_STYLES.join(', ')}.`, { field: 'style' });
    const { snapshot, documents, named } = found.view;
    // Whatever visitors ask for, the number of different badges is limited.
    if (monitorId !== null && !named.some(({ id }) => id === monitorId))
      return notFound('monitor on this page');
    const old = isOld(site, snapshot);
    const document = documents.get(`badge ${monitorId ?? ''} ${metric} ${style} ${old}`, () => {
      const svg = badgeOf(snapshot, { monitorId, metric, style, isOld: old });
      return svg === null ? null : makeDocument('image/svg+xml; charset=utf-8', svg);
    });
    return sendToAll(request, reply, found, document ?? notFound('monitor on this page'));
  });

  for (const [path, ground] of [
    ['/logo', 'light'],
    ['/logo-dark', 'dark'],
  ] as const)
    http.get(`/public/status-pages/:slug${path}`, async (request: OfPage, reply) => {
      const found = await visitOrRefuse(site, request, request.params.slug);
      const { page, view } = found;
      const document = await view.documents.file(path, () => readLogo(site.db, page.id, ground));
      return sendToAll(request, reply, found, document ?? notFound('logo'), { headers: LOGO_HEADERS });
    });
}

function given(query: Record<string, unknown>, name: string): string | null {
  const value = query[name];
  if (value === undefined) return null;
  if (typeof value === 'string') return value;
  return refuse('invalid_request', `${name} is given more than once.`, { field: name });
}

const isStyle = (style: string): style is BadgeStyle => (BADGE_STYLES as readonly string[]).includes(style);
