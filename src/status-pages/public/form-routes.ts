// The forms of visitors: the shared password, and the sign-in, the forgotten and the new password of viewers. Each takes JSON
// from programs (204, or a refusal in the one error shape) or a form from people (a page, or a redirect to the status page).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { SlowDown } from '#src/accounts/slow-down.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { validate } from '#src/platform/http/validate.ts';
import { notFound, Refusal, refuse } from '#src/platform/refusals.ts';
import { logInToStatusPage, unlockStatusPage } from './contract.ts';
import type { ServedPage } from './directory.ts';
import { setCookie } from './gate.ts';
import { lockOf, sendText } from './html-routes.ts';
import { renderLocked } from './locked.ts';
import { logIn } from './log-in.ts';
import { renderNotFound } from './not-found.ts';
import { addressOf, cookieOf, homeOf, isSecure, pageOf, type Site } from './site.ts';
import { isSharedPassword } from './unlock.ts';
import { languageOf } from './words.ts';

export type FormsOptions = { slowDown: SlowDown };

type Sent = FastifyRequest<{ Params: { slug: string } }>;

const FORM = 'application/x-www-form-urlencoded';
/** The most bytes of a form. */
export const FORM_BYTES = 16 * 1024;

/** Forms of pages without a script. A repeated field is a list. */
export function parseForms(http: FastifyInstance): void {
  http.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, body, done) => {
    done(null, fieldsOf(new URLSearchParams(body as string)));
  });
}

function fieldsOf(sent: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(sent.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = sent.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

export const isForm = (request: FastifyRequest) => request.headers['content-type']?.startsWith(FORM) === true;

export function serveForms(http: FastifyInstance, site: Site, { slowDown }: FormsOptions): void {
  const config = { throttled: true };
  const asker = { db: site.db, slowDown };

  http.post('/public/status-pages/:slug/unlock', { config }, (request: Sent, reply) =>
    open(site, request, reply, async (page) => {
      const { password } = checked(unlockStatusPage.body, request.body);
      const isRight = await isSharedPassword(asker, page, password, { address: request.ip });
      return isRight ? site.gate.unlocked(page, site.clock()) : null;
    }),
  );
  http.post('/public/status-pages/:slug/login', { config }, (request: Sent, reply) =>
    open(site, request, reply, async (page) => {
      const given = checked(logInToStatusPage.body, request.body);
      return logIn(asker, page, given, { address: request.ip }, site.clock());
    }),
  );
  http.post('/public/status-pages/:slug/logout', { config }, async (request: Sent, reply) => {
    const { slug } = request.params;
    const language = languageOf(request.headers['accept-language']);
    const page = await pageOf(site, request, slug);
    if (page === null) return refuseUnknown(request, reply, language);
    await site.gate.leave(page, cookieOf(site, request, page.id), site.clock());
    reply
      .header('set-cookie', setCookie(page.id, isSecure(site, request), null))
      .header('cache-control', 'no-store');
    return isForm(request) ? reply.redirect(homeOf(site, request, slug), 303) : reply.status(204).send();
  });
}

/** The body in the shape of its contract; refuses any other with 400. */
function checked<S extends TSchema>(schema: S | undefined, body: unknown): Static<S> {
  if (schema) validate(schema, body);
  return body as Static<S>;
}

/** Opens a locked page to visitors for whom `prove` returns a cookie. */
async function open(
  site: Site,
  request: Sent,
  reply: FastifyReply,
  prove: (page: ServedPage) => Promise<string | null>,
): Promise<FastifyReply> {
  const { slug } = request.params;
  const language = languageOf(request.headers['accept-language']);
  const page = await pageOf(site, request, slug);
  if (page === null) return refuseUnknown(request, reply, language);
  try {
    const cookie = await prove(page);
    if (cookie === null)
      return refuse(
        'unauthenticated',
        page.accessMode === 'shared_password'
          ? 'password is not the password of this page.'
          : 'username and password do not belong together.',
      );
    reply
      .header('set-cookie', setCookie(page.id, isSecure(site, request), cookie))
      .header('cache-control', 'no-store');
    if (!isForm(request)) return reply.status(204).send();
    return reply.redirect(homeOf(site, request, slug), 303);
  } catch (error) {
    if (!isForm(request) || !(error instanceof Refusal)) throw error;
    return answerForm(site, request, reply, page, error, language);
  }
}

function refuseUnknown(request: Sent, reply: FastifyReply, language: PageLanguage): FastifyReply {
  if (!isForm(request)) return notFound('status page at this address');
  return sendText(request, reply, renderNotFound(language), 404);
}

/** The form again, with the mistake. */
function answerForm(
  site: Site,
  request: Sent,
  reply: FastifyReply,
  page: ServedPage,
  refusal: Refusal,
  language: PageLanguage,
): FastifyReply {
  if (page.accessMode === 'public') return reply.redirect(homeOf(site, request, page.slug), 303);
  const { retryAfterSeconds } = refusal.details;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  const problem = refusal.status === 429 ? 'slowed' : 'wrong';
  const text = renderLocked({
    ...lockOf(site, addressOf(site, request, page.slug), page, language),
    problem,
  });
  return sendText(request, reply, text, refusal.status === 429 ? 429 : 401);
}
