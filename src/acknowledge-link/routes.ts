// GET | POST /ack/{token}: the one-click acknowledgement of an alarm mail. There is no sign-in and no cookie: the holder of
// the link acts as its person, once. These are pages for people, not operations of the API.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languageOf } from '../platform/page-language.ts';
import { Refusal } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { acknowledgeByLink } from './acknowledge.ts';
import { stateOfLink } from './alarm-of-link.ts';
import { acknowledgedPage, confirmPage, PAGE_HEADERS, problemPage } from './page.ts';

export type AcknowledgeLinkOptions = { db: Database; clock: () => Date };

type AcknowledgeRequest = FastifyRequest<{ Params: { token: string } }>;

const STATUS = { unknown: 404, used: 410, expired: 410, ended: 410, not_a_member: 403, viewer: 403 } as const;

export async function serveAcknowledgeLinks(
  http: FastifyInstance,
  { db, clock }: AcknowledgeLinkOptions,
): Promise<void> {
  await http.register((pages, _options, done) => {
    // The form has no fields, so a body is discarded.
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser('*', (_request, payload, parsed) => {
      payload.resume();
      parsed(null);
    });
    pages.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    const config = { throttled: true };

    // Mail scanners, previews and prefetching send GET and HEAD: these must not change anything.
    pages.get('/ack/:token', { config }, async (request: AcknowledgeRequest, reply) => {
      const state = await stateOfLink(db, clock(), request.params.token);
      if (state.kind !== 'open') return send(request, reply, STATUS[state.kind], problemOf(state.kind));
      return send(request, reply, 200, (language) => confirmPage(language, state.alarm));
    });

    pages.post('/ack/:token', { config }, async (request: AcknowledgeRequest, reply) => {
      const acknowledged = await acknowledgeByLink(db, clock(), request.params.token, request.ip);
      if (acknowledged.kind !== 'acknowledged')
        return send(request, reply, STATUS[acknowledged.kind], problemOf(acknowledged.kind));
      return send(request, reply, 200, (language) => acknowledgedPage(language, acknowledged));
    });
    done();
  });
}

type Language = ReturnType<typeof languageOf>;

const problemOf = (kind: Parameters<typeof problemPage>[1]) => (language: Language) =>
  problemPage(language, kind);

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  page: (language: Language) => string,
): FastifyReply {
  const language = languageOf(request.headers['accept-language']);
  return reply.status(status).headers(PAGE_HEADERS).header('content-language', language).send(page(language));
}

/** Shows refusals (rate limit, foreign origin, database away) as pages; the server's own handler reports internal errors. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof Refusal)) throw error;
  const { retryAfterSeconds } = error.details;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return send(request, reply, error.status, problemOf(error.status === 429 ? 'busy' : 'broken'));
}
