// How viewers come by a password: the form for a forgotten one, and the form behind the link of a mail. Pages without a script;
// opening a link changes nothing.
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

type Asked = FastifyRequest<{ Params: { slug: string; token?: string } }>;

const MIN_CHARACTERS = 8;
const MAX_CHARACTERS = 128;

export function servePasswords(http: FastifyInstance, site: Site, { log, mail }: PasswordOptions): void {
  const config = { throttled: true };

  /** Runs `act` for a page with viewers; every other is not there. */
  const ofViewers =
    (
      act: (
        page: ServedPage,
        request: Asked,
        reply: FastifyReply,
        language: PageLanguage,
      ) => Promise<FastifyReply>,
    ) =>
    async (request: Asked, reply: FastifyReply) => {
      const language = languageOf(request.headers['accept-language']);
      const page = await pageOf(site, request, request.params.slug);
      if (page?.accessMode !== 'viewer_login') return sendText(request, reply, renderNotFound(language), 404);
      return act(page, request, reply, language);
    };

  const forgot = (at: Address, language: PageLanguage, sent: boolean) =>
    renderForgotPassword({
      ...{ language, action: `${at.home}/forgot-password`, backHref: at.home || '/' },
      ...{ sent, problem: null },
    });
  http.get(
    '/status/:slug/forgot-password',
    { config },
    ofViewers(async ({ slug }, request, reply, language) =>
      mail === null
        ? sendText(request, reply, renderNotFound(language), 404)
        : sendText(request, reply, forgot(addressOf(site, request, slug), language, false), 200),
    ),
  );
  http.post(
    '/status/:slug/forgot-password',
    { config },
    ofViewers(async ({ id, slug }, request, reply, language) => {
      if (mail === null) return sendText(request, reply, renderNotFound(language), 404);
      const email = textOf(request.body, 'email');
      const reset = await runWork(site.db, site.clock(), SYSTEM, (work) => makeResetLink(work, id, email));
      // Not waited for: how long it takes would tell whether the address has an account.
      const at = addressOf(site, request, slug);
      const host = virtualHostOf(request.raw);
      // Whoever answers under a name whose record points elsewhere must not be sent the token.
      const isLost = host.kind === 'page' && host.isDangling;
      const linked = isLost ? ownAddress(site.baseUrl, slug) : at;
      if (reset) void mailReset(linked, mail, log, { language, reset });
      return sendText(request, reply, forgot(at, language, true), 200);
    }),
  );

  const choose = (
    { home }: Address,
    language: PageLanguage,
    token: string,
    problem: null | 'too_short' | 'too_long' | 'spent',
  ) => {
    const forgotHref = mail === null ? null : `${home}/forgot-password`;
    return renderChoosePassword({
      language,
      action: `${home}/password/${token}`,
      token,
      problem,
      forgotHref,
    });
  };
  http.get(
    '/status/:slug/password/:token',
    { config },
    ofViewers(async (page, request, reply, language) => {
      const token = request.params.token ?? '';
      const viewer = await viewerOfLink(site.db, page.id, token, site.clock());
      return viewer === null
        ? sendText(request, reply, choose(addressOf(site, request, page.slug), language, '', 'spent'), 404)
        : sendText(request, reply, choose(addressOf(site, request, page.slug), language, token, null), 200);
    }),
  );
  http.post(
    '/status/:slug/password/:token',
    { config },
    ofViewers(async (page, request, reply, language) => {
      const token = request.params.token ?? '';
      const password = textOf(request.body, 'password');
      const length = [...password].length;
      if (length < MIN_CHARACTERS)
        return sendText(
          request,
          reply,
          choose(addressOf(site, request, page.slug), language, token, 'too_short'),
          400,
        );
      if (length > MAX_CHARACTERS)
        return sendText(
          request,
          reply,
          choose(addressOf(site, request, page.slug), language, token, 'too_long'),
          400,
        );
      // Before the hash, which costs: most that are sent at random are nobody's.
      const known = await viewerOfLink(site.db, page.id, token, site.clock());
      const hash = known === null ? null : await passwordHash(password);
      const viewer =
        hash === null
          ? null
          : await runWork(site.db, site.clock(), SYSTEM, (work) =>
              choosePassword(work, page.id, { token, passwordHash: hash }),
            );
      if (viewer === null)
        return sendText(
          request,
          reply,
          choose(addressOf(site, request, page.slug), language, '', 'spent'),
          404,
        );
      const cookie = await startSession(site.db, viewer, site.clock());
      reply
        .header('set-cookie', setCookie(page.id, isSecure(site, request), cookie))
        .header('cache-control', 'no-store');
      return reply.redirect(homeOf(site, request, page.slug), 303);
    }),
  );
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
