// Resolves a request for a page: the page, whether its visitor may see it, and its documents.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageLanguage } from '#src/domain/names.ts';
import { virtualHostOf } from '#src/platform/http/virtual-host.ts';
import { refuse } from '#src/platform/refusals.ts';
import type { Database } from '#src/platform/work.ts';
import { type DocumentOptions, FOR_OTHER_SITES, sendDocument } from './answer.ts';
import type { BADGE_STYLES } from './contract.ts';
import type { Directory, ServedPage } from './directory.ts';
import { type Document, makeDocument } from './documents.ts';
import { cookieName, cookieValue, type Gate } from './gate.ts';
import { keepReady } from './ready.ts';
import type { Shown, Snapshot } from './snapshot.ts';
import type { View } from './view-entries.ts';
import type { Views } from './views.ts';

export type Site = {
  db: Database;
  directory: Directory;
  views: Views;
  gate: Gate;
  clock: () => Date;
  /** Base address of the installation, without a slash at the end. */
  baseUrl: string;
  /** The port of custom domains in addresses if the edge does not listen on 443: `:8443`; otherwise ''. */
  edgePort: string;
  /** Whether this installation can send mail. */
  canMail: boolean;
};

/** The value of a page's own cookie; null: the visitor has none. */
export const cookieOf = (
  site: Pick<Site, 'baseUrl'>,
  request: FastifyRequest,
  pageId: string,
): string | null => cookieValue(request.headers.cookie, cookieName(pageId, isSecure(site, request)));

/** If a page could not be read for this long, its state is shown with its time, or not at all where there is no place for a time. */
const OLD_MS = 3 * 60_000;

export const isOld = ({ clock }: Pick<Site, 'clock'>, { at }: Pick<Snapshot, 'at'>): boolean =>
  clock().getTime() - at.getTime() > OLD_MS;

/** A page that the visitor may see, in its current state. */
export type Visit = { page: ServedPage; view: View; isPublic: boolean };

/** The obstacle to a visit. */
export type Refused = { refused: 'unknown' } | { refused: 'locked'; page: ServedPage };

/**
 * The page that a request is for; null: there is none. On a custom domain it is the domain's page, whose slug may just have
 * changed. Rejects while the database is away and nothing was ever read.
 */
export function pageOf(
  { directory }: Pick<Site, 'directory'>,
  request: FastifyRequest,
  slug: string,
): Promise<ServedPage | null> {
  const host = virtualHostOf(request.raw);
  return host.kind === 'page' ? directory.findAtDomain(host.domain) : directory.find(slug);
}

/** The page at a slug for the visitor who asks. Rejects while the database is away and no view is kept. */
export async function visit(site: Site, request: FastifyRequest, slug: string): Promise<Visit | Refused> {
  const { views, gate, clock } = site;
  const page = await pageOf(site, request, slug);
  if (page === null) return { refused: 'unknown' };
  if (!(await gate.admits(page, cookieOf(site, request, page.id), clock())))
    return { refused: 'locked', page };
  const view = await views.of(page);
  if (view === null) return { refused: 'unknown' };
  return { page, view, isPublic: page.accessMode === 'public' };
}

/** As `visit`, for documents that programs read: refuses in the one error shape. */
export async function visitOrRefuse(site: Site, request: FastifyRequest, slug: string): Promise<Visit> {
  const found = await visit(site, request, slug);
  if (!('refused' in found)) return found;
  if (found.refused === 'unknown') return refuse('not_found', 'There is no status page at this address.');
  return refuse(
    'unauthenticated',
    'This status page is locked. Unlock it or sign in to it first, and send its cookie.',
  );
}

/** Address of a page: below the installation's address, or on its own domain. */
export type Address = Pick<Shown, 'home' | 'publicPath' | 'url' | 'publicUrl'>;

/** A page below the installation's address. */
export function ownAddress(baseUrl: string, slug: string): Address {
  const home = `/status/${slug}`;
  const publicPath = `/public/status-pages/${slug}`;
  return { home, publicPath, url: `${baseUrl}${home}`, publicUrl: `${baseUrl}${publicPath}` };
}

/** A page as this request reached it. */
export function addressOf(
  site: Pick<Site, 'baseUrl' | 'edgePort'>,
  request: FastifyRequest,
  slug: string,
): Address {
  const host = virtualHostOf(request.raw);
  if (host.kind !== 'page') return ownAddress(site.baseUrl, slug);
  // Not the proxy's own words: visitors may have written them, and each scheme would be another set of documents.
  const origin = `${isSecure(site, request) ? 'https' : 'http'}://${host.domain}${site.edgePort}`;
  return { home: '', publicPath: '', url: origin, publicUrl: origin };
}

/** The path of a page as this request reached it. */
export const homeOf = (
  site: Pick<Site, 'baseUrl' | 'edgePort'>,
  request: FastifyRequest,
  slug: string,
): string => addressOf(site, request, slug).home || '/';

/** Whether the cookies of a page are for https only, for this request. */
export function isSecure({ baseUrl }: Pick<Site, 'baseUrl'>, request: FastifyRequest): boolean {
  const host = virtualHostOf(request.raw);
  return host.kind === 'page'
    ? host.isCertified || request.protocol === 'https'
    : baseUrl.startsWith('https:');
}

/** A page at an address, in a language. `prefix` is the language if the address has it. */
export const shownAt = (address: Address, language: PageLanguage, prefix = ''): Shown => ({
  ...address,
  path: `${address.home}${prefix}`,
  language,
});

/** Keeps an answer for the next visitor. */
export const keepOf =
  (request: FastifyRequest, reply: FastifyReply, { view }: Visit): NonNullable<DocumentOptions['keep']> =>
  (sent) =>
    keepReady(request, reply, view, sent);

/** Sends a document of a view to any reader, on this site or another. */
export function sendToAll(
  request: FastifyRequest,
  reply: FastifyReply,
  { isPublic }: Visit,
  document: Document,
  options: Partial<DocumentOptions> = {},
): FastifyReply {
  const headers = { ...(isPublic ? FOR_OTHER_SITES : {}), ...options.headers };
  return sendDocument(request, reply, document, { isPublic, ...options, headers });
}

export type BadgeStyle = (typeof BADGE_STYLES)[number];

/** A text document of a view, rendered once. */
export function textOf(view: View, name: string, type: string, make: () => string): Document {
  const made = view.documents.get(name, () => makeDocument(type, make()));
  if (made === null) throw new Error(`the document ${name} is always made`);
  return made;
}
