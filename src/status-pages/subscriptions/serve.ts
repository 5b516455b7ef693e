// Subscribing on a page, and the links in mails to subscribers: /subscriptions/confirm/{token}, /subscriptions/{token} and
// /subscriptions/{token}/unsubscribe, which one click of a mail program may post to (RFC 8058).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { validate } from '#src/platform/http/validate.ts';
import { notFound, Refusal } from '#src/platform/refusals.ts';
import { runWork, SYSTEM, type Work } from '#src/platform/work.ts';
import { FORM_BYTES, isForm } from '../public/form-routes.ts';
import { sendText } from '../public/html-routes.ts';
import { homeOf, type Site, visitOrRefuse } from '../public/site.ts';
import { languageOf } from '../public/words.ts';
import { choose, confirm, readSubscriber, type Subscriber, unsubscribe } from './choose.ts';
import { subscribeToStatusPage } from './contract.ts';
import {
  renderCheckMail,
  renderConfirm,
  renderConfirmed,
  renderManage,
  renderSpent,
  renderSubscribeProblem,
  renderUnsubscribed,
  type SubscribeProblem,
} from './pages.ts';
import { subscribe } from './subscribe.ts';
import { subscriberOf, type TokenPurpose } from './tokens.ts';

type OfPage = FastifyRequest<{ Params: { slug: string } }>;
type OfToken = FastifyRequest<{ Params: { token: string } }>;

const PROBLEM: Readonly<Record<number, SubscribeProblem>> = {
  400: 'subscribeProblem',
  409: 'subscribeFull',
  429: 'subscribeBusy',
};

export function serveSubscriptions(http: FastifyInstance, site: Site, key: Buffer): void {
  const config = { throttled: true };
  const write = <T>(act: (work: Work) => Promise<T>) => runWork(site.db, site.clock(), SYSTEM, act);

  http.post('/public/status-pages/:slug/subscriptions', { config }, async (request: OfPage, reply) => {
    const { slug } = request.params;
    const language = languageOf(request.headers['accept-language']);
    const { page } = await visitOrRefuse(site, request, slug);
    try {
      // Without mail nobody could confirm, so there is no subscription.
      if (!site.canMail) return notFound('subscription of this page');
      validate(subscribeToStatusPage.body ?? {}, request.body);
      const { email } = request.body as { email: string };
      await write((work) => subscribe(work, { pageId: page.id, email, language, client: request.ip }));
      if (!isForm(request)) return reply.status(202).send({});
      return sendText(request, reply, renderCheckMail(language, homeOf(site, request, slug)), 202);
    } catch (error) {
      if (!isForm(request) || !(error instanceof Refusal) || PROBLEM[error.status] === undefined) throw error;
      const problem = PROBLEM[error.status] ?? 'subscribeProblem';
      return sendText(
        request,
        reply,
        renderSubscribeProblem(language, homeOf(site, request, slug), problem),
        error.status,
      );
    }
  });

  /** Answers with the page that `act` renders for the subscriber of the token, or says that the link is spent. */
  const ofToken =
    (purpose: TokenPurpose, act: (subscriber: Subscriber, request: OfToken) => Promise<string | Refused>) =>
    async (request: OfToken, reply: FastifyReply) => {
      const id = subscriberOf(key, purpose, request.params.token);
      const subscriber = id === null ? null : await readSubscriber(site.db, id);
      if (subscriber === null)
        return sendText(request, reply, renderSpent(languageOf(request.headers['accept-language'])), 404);
      const made = await act(subscriber, request);
      return typeof made === 'string'
        ? sendText(request, reply, made, 200)
        : sendText(request, reply, made.text, made.status);
    };

  http.get(
    '/subscriptions/confirm/:token',
    { config },
    ofToken('confirm', async (subscriber) => renderConfirm(subscriber)),
  );
  http.post(
    '/subscriptions/confirm/:token',
    { config },
    ofToken('confirm', async (subscriber) => {
      try {
        await write((work) => confirm(work, subscriber));
        return renderConfirmed(subscriber);
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'limit_reached') throw error;
        const { language, slug } = subscriber;
        const text = renderSubscribeProblem(language, `/status/${slug}`, 'subscribeFull');
        return { text, status: error.status };
      }
    }),
  );
  const manage = (subscriber: Subscriber, token: string, isSaved: boolean) =>
    renderManage(subscriber, `/subscriptions/${token}/unsubscribe`, { isSaved, problem: null });
  http.get(
    '/subscriptions/:token',
    { config },
    ofToken('manage', async (subscriber, { params }) => manage(subscriber, params.token, false)),
  );
  http.post(
    '/subscriptions/:token',
    { config },
    ofToken('manage', async (subscriber, { params, body }) => {
      const { what, monitor } = (body ?? {}) as { what?: string; monitor?: string | string[] };
      const some = what === 'some' ? [monitor ?? []].flat() : null;
      try {
        const isSaved = await write((work) => choose(work, subscriber, some));
        if (!isSaved) return { text: renderSpent(subscriber.language), status: 404 };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const unsubscribeAt = `/subscriptions/${params.token}/unsubscribe`;
        const said = { isSaved: false, problem: error.message };
        return { text: renderManage(subscriber, unsubscribeAt, said), status: error.status };
      }
      return manage((await readSubscriber(site.db, subscriber.id)) ?? subscriber, params.token, true);
    }),
  );
  const leave = ofToken('manage', async (subscriber) => {
    await write((work) => unsubscribe(work, subscriber.id));
    return renderUnsubscribed(subscriber);
  });
  void http.register((oneClick, _options, done) => {
    // Mail programs should send multipart/form-data (RFC 8058, section 3.1); the address says everything, so any body is
    // accepted.
    oneClick.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: FORM_BYTES },
      (_request, _body, parsed) => parsed(null, undefined),
    );
    oneClick.post('/subscriptions/:token/unsubscribe', { config }, leave);
    done();
  });
  http.get(
    '/subscriptions/:token/unsubscribe',
    { config },
    ofToken('manage', async (subscriber, { params }) => manage(subscriber, params.token, false)),
  );
}

type Refused = { text: string; status: number };
