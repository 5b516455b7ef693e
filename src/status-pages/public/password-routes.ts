// How viewers get a new password: the form to ask for one, and the form behind the link in the mail. Both work without a
// script; opening the link changes nothing.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { passwordHash } from '#src/accounts/password-hashing.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { virtualHostOf } from '#src/platform/http/virtual-host.ts';
import type { Log } from '#src/platform/log.ts';
import { type Mail, MailFailure } from '#src/platform/mail/mail.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { choosePassword, makeResetLink, type Reset, viewerOfLink } from '../viewers/links.ts';
import { resetMail } from '../viewers/reset-mail.ts';
import type { ServedPage } from './directory.ts';
import { setCookie } from './gate.ts';
import { sendText } from './html-routes.ts';
import { renderChoosePassword, renderForgotPassword } from './locked.ts';
import { startSession } from './log-in.ts';
import { renderNotFound } from './not-found.ts';
import { type Address, addressOf, homeOf, isSecure, ownAddress, pageOf, type Site } from './site.ts';
import { languageOf } from './words.ts';

export type PasswordOptions = { log: Log; mail: Mail | null };

type ViewerRequest = FastifyRequest<{ Params: { slug: string; token?: string } }>;

const MIN_CHARACTERS = 8;
const MAX_CHARACTERS = 128;

/** Serves the forms. Without a mail server, `mail` null, nobody can ask for a new password. */
export function servePasswords(http: FastifyInstance, site: Site, { log, mail }: PasswordOptions): void {
  const config = { throttled: true };
  serveForgotten(http, site, config, { log, mail });
  serveChoosing(http, site, config, mail !== null);
}

type Act = (
  page: ServedPage,
  request: ViewerRequest,
  reply: FastifyReply,
  language: PageLanguage,
) => Promise<FastifyReply>;

/** Runs `act` for a page with viewers; answers 404 for any other. */
const ofViewers = (site: Site, act: Act) => async (request: ViewerRequest, reply: FastifyReply) => {
  const language = languageOf(request.headers['accept-language']);
  const page = await pageOf(site, request, request.params.slug);
  if (page?.accessMode !== 'viewer_login') return sendText(request, reply, renderNotFound(language), 404);
  return act(page, request, reply, language);
};

/** The form of somebody who has forgotten their password, and the mail it sends. */
function serveForgotten(
  http: FastifyInstance,
  site: Site,
  config: { throttled: boolean },
  { log, mail }: PasswordOptions,
): void {
  const form = (at: Address, language: PageLanguage, sent: boolean) =>
    renderForgotPassword({
      ...{ language, action: `${at.home}/forgot-password`, backHref: at.home || '/' },
      ...{ sent, problem: null },
    });
  http.get(
    '/status/:slug/forgot-password',
    { config },
    ofViewers(site, async ({ slug }, request, reply, language) =>
      mail === null
        ? sendText(request, reply, renderNotFound(language), 404)
        : sendText(request, reply, form(addressOf(site, request, slug), language, false), 200),
    ),
  );
  http.post(
    '/status/:slug/forgot-password',
    { config },
    ofViewers(site, async ({ id, slug }, request, reply, language) => {
      if (mail === null) return sendText(request, reply, renderNotFound(language), 404);
      const email = textOf(request.body, 'email');
      const reset = await runWork(site.db, site.clock(), SYSTEM, (work) => makeResetLink(work, id, email));
      // Not awaited: the time it takes would reveal whether the address has an account.
      const at = addressOf(site, request, slug);
      const host = virtualHostOf(request.raw);
      // If the record of the name points elsewhere, whoever answers there must not get the token.
      const isLost = host.kind === 'page' && host.isDangling;
      const linked = isLost ? ownAddress(site.baseUrl, slug) : at;
      if (reset) void mailReset(linked, mail, log, { language, reset });
      return sendText(request, reply, form(at, language, true), 200);
    }),
  );
}

/** The form behind the link of the mail, which sets the password and signs the viewer in. */
function serveChoosing(
  http: FastifyInstance,
  site: Site,
  config: { throttled: boolean },
  canMail: boolean,
): void {
  const sendForm = (
    page: ServedPage,
    request: ViewerRequest,
    reply: FastifyReply,
    language: PageLanguage,
    { token, problem, status }: Form,
  ) => {
    const { home } = addressOf(site, request, page.slug);
    const form = renderChoosePassword({
      language,
      action: `${home}/password/${token}`,
      token,
      problem,
      forgotHref: canMail ? `${home}/forgot-password` : null,
    });
    return sendText(request, reply, form, status);
  };
  http.get(
    '/status/:slug/password/:token',
    { config },
    ofViewers(site, async (page, request, reply, language) => {
      const token = request.params.token ?? '';
      const viewer = await viewerOfLink(site.db, page.id, token, site.clock());
      const form = viewer === null ? SPENT : { token, problem: null, status: 200 };
      return sendForm(page, request, reply, language, form);
    }),
  );
  http.post(
    '/status/:slug/password/:token',
    { config },
    ofViewers(site, async (page, request, reply, language) => {
      const token = request.params.token ?? '';
      const password = textOf(request.body, 'password');
      const problem = problemOf(password);
      if (problem !== null) return sendForm(page, request, reply, language, { token, problem, status: 400 });
      const viewer = await setPassword(site, page, token, password);
      if (viewer === null) return sendForm(page, request, reply, language, SPENT);
      const cookie = await startSession(site.db, viewer, site.clock());
      if (cookie === null) return sendForm(page, request, reply, language, SPENT);
      reply
        .header('set-cookie', setCookie(page.id, isSecure(site, request), cookie))
        .header('cache-control', 'no-store');
      return reply.redirect(homeOf(site, request, page.slug), 303);
    }),
  );
}

type Form = { token: string; problem: null | 'too_short' | 'too_long' | 'spent'; status: number };

const SPENT: Form = { token: '', problem: 'spent', status: 404 };

function problemOf(password: string): 'too_short' | 'too_long' | null {
  const length = [...password].length;
  if (length < MIN_CHARACTERS) return 'too_short';
  return length > MAX_CHARACTERS ? 'too_long' : null;
}

/** Sets the password of the viewer that a link is for; null if the link is spent. */
async function setPassword(site: Site, page: ServedPage, token: string, password: string) {
  // Looked up before the hash, which is expensive: most tokens that are sent at random belong to nobody.
  const known = await viewerOfLink(site.db, page.id, token, site.clock());
  if (known === null) return null;
  const hash = await passwordHash(password);
  const id = await runWork(site.db, site.clock(), SYSTEM, (work) =>
    choosePassword(work, page.id, { token, passwordHash: hash }),
  );
  return id === null ? null : { id, hash };
}

function textOf(body: unknown, field: string): string {
  const value = (body as Record<string, unknown> | null)?.[field];
  // PostgreSQL's text cannot hold NUL, and nobody types one.
  return typeof value === 'string' ? value.replaceAll('\0', '') : '';
}

async function mailReset(
  { url }: Address,
  mail: Mail,
  log: Log,
  { language, reset }: { language: PageLanguage; reset: Reset },
): Promise<void> {
  const { email, username, pageName: page, token } = reset;
  const link = `${url}/password/${token}`;
  try {
    await mail.send({ to: email, ...resetMail({ language, page, username, link }) });
  } catch (err) {
    const failure = err instanceof MailFailure ? { failure_class: err.failureClass } : { err };
    log.warn(failure, 'the mail for a new password of a viewer could not be sent');
  }
}
