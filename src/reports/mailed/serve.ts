// GET | POST /report-mails/{token}: the unsubscribe link of a report by mail. A mail program may post to it with one click (RFC
// 8058). A GET changes nothing, because mail scanners open links.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { html } from '#src/platform/html.ts';
import { filled, languageOf } from '#src/platform/page-language.ts';
import { type Database, runWork, SYSTEM } from '#src/platform/work.ts';
import { smallPage } from '#src/status-pages/public/html/small-page.ts';
import { sendText } from '#src/status-pages/public/html-routes.ts';
import { endSubscription } from './subscriptions.ts';
import { subscriptionOf } from './unsubscribe-token.ts';
import { MAILED_WORDS } from './words.ts';

export type ReportMailPages = { db: Database; clock: () => Date; key: Buffer };

type UnsubscribeRequest = FastifyRequest<{ Params: { token: string } }>;
type Found = { id: string; org_id: string; organization: string; subject: string | null };

export async function serveReportMails(http: FastifyInstance, options: ReportMailPages): Promise<void> {
  const { db, clock, key } = options;
  const config = { throttled: true };
  const wordsOf = (request: UnsubscribeRequest) => {
    const language = languageOf(request.headers['accept-language']);
    return { language, words: MAILED_WORDS[language] };
  };
  await http.register((pages, _options, done) => {
    // The address says everything, so any body is accepted and none is read.
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser('*', (_request, payload, parsed) => {
      payload.resume();
      parsed(null);
    });

    pages.get('/report-mails/:token', { config }, async (request: UnsubscribeRequest, reply) => {
      const { language, words } = wordsOf(request);
      const found = await find(db, key, request.params.token);
      if (found === null)
        return sendText(
          request,
          reply,
          smallPage(language, words.spentTitle, html`<p>${words.spent}</p>`),
          404,
        );
      const { subject, organization } = found;
      const body = html`<p>${filled(words.ask, { subject: subject ?? organization, organization })}</p>
<form method="post"><button type="submit">${words.button}</button></form>`;
      return sendText(request, reply, smallPage(language, words.askTitle, body), 200);
    });

    // Unsubscribing twice is no error: the second click gets the same answer.
    pages.post('/report-mails/:token', { config }, async (request: UnsubscribeRequest, reply) => {
      const { language, words } = wordsOf(request);
      if (subscriptionOf(key, request.params.token) === null)
        return sendText(
          request,
          reply,
          smallPage(language, words.spentTitle, html`<p>${words.spent}</p>`),
          404,
        );
      const found = await find(db, key, request.params.token);
      if (found !== null)
        await runWork(db, clock(), SYSTEM, (work) =>
          endSubscription(work, found.org_id, found.id, found.subject ?? found.organization),
        );
      const body = html`<p role="status">${words.done}</p>`;
      return sendText(request, reply, smallPage(language, words.doneTitle, body), 200);
    });
    done();
  });
}

async function find(db: Database, key: Buffer, token: string): Promise<Found | null> {
  const id = subscriptionOf(key, token);
  if (id === null) return null;
  const { rows } = await sql<Found>`
    SELECT r.id, r.org_id, o.name AS organization, CASE r.kind WHEN 'tag' THEN r.subject_id
      WHEN 'project' THEN (SELECT p.name FROM projects p WHERE p.id = r.subject_id)
      WHEN 'status_page' THEN (SELECT s.name FROM status_pages s WHERE s.id = r.subject_id) END AS subject
    FROM report_subscriptions r JOIN organizations o ON o.id = r.org_id WHERE r.id = ${id}`.execute(db);
  return rows[0] ?? null;
}
