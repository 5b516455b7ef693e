// The HTTP server: parsing, the one error shape, security headers, same-origin writes.
import { randomUUID } from 'node:crypto';
import fastJson from 'fast-json-stringify';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { isDatabaseAway } from '../db/away.ts';
import type { Log } from '../log.ts';
import { Refusal } from '../refusals.ts';
import { letAnswerFirst } from './answer-first.ts';
import { followRequests } from './current-request.ts';
import { isLoopback } from './from-this-machine.ts';
import { parseJsonBody } from './json-body.ts';
import { keepChecksApart } from './own-checks.ts';
import { limitPipelining } from './pipelining.ts';
import { BODY_LIMIT } from './route.ts';
import { isForeign } from './same-origin.ts';
import { securityHeaders } from './security-headers.ts';
import { answerExpectation, answerUnparsable, refuseUnclearHost } from './unparsable.ts';
import { makeRewrite, type VirtualHosts, virtualHostOf } from './virtual-host.ts';

export type HttpOptions = {
  log: Log;
  /** Public address of the installation, e.g. https://tocsin.example. */
  baseUrl: string;
  /** Proxies in front whose X-Forwarded-For counts, from the right; 0: none. */
  trustProxy: number;
  /**
   * Returns a sentence about a path that other servers of the installation serve, or null if none does, which is the default.
   */
  elsewhere?: (path: string) => string | null;
  /** The edge on this machine is in front, whatever other proxies are. */
  behindEdge?: boolean;
  /** Maps host names to their content; absent: every name serves the installation. */
  virtualHosts?: VirtualHosts;
};

/** Bodies of our own programs are lists of readings, limited by their size in bytes. */
const BODY_OF = {
  key: {},
  wall: {},
  probe: { maxValues: Number.POSITIVE_INFINITY },
  agent: { maxValues: Number.POSITIVE_INFINITY, measured: true },
} as const;

/** Creates the server with everything common to all routes; the caller mounts the routes. */
export function makeHttpServer(options: HttpOptions): FastifyInstance {
  const { log, baseUrl, trustProxy, elsewhere = () => null, behindEdge = false, virtualHosts } = options;
  const base = new URL(baseUrl);
  const headers = securityHeaders({ https: base.protocol === 'https:' });
  const rewrite = virtualHosts ? makeRewrite(virtualHosts, trustProxy) : null;
  const http = fastify({
    logger: false,
    trustProxy: (address, hop) => hop < trustProxy || (behindEdge && hop === 0 && isLoopback(address)),
    ...(rewrite ? { rewriteUrl: rewrite } : {}),
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID(),
    // Slow clients must not hold connections for minutes, Node's default (docs/rules/limits.md#sizes).
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 500 },
    // A request without Host is refused below, in the one error shape.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    forceCloseConnections: true,
    // A path that cannot be decoded is an unknown path.
    frameworkErrors: (_error, request, reply) => {
      // No hook runs for these requests.
      (reply as FastifyReply).headers(headers);
      const body = new Refusal('not_found', `There is nothing at ${pathOf(request.originalUrl)}.`).body();
      (reply as FastifyReply).status(404).send(body);
    },
    clientErrorHandler: (error, socket) => answerUnparsable(error, socket, headers),
  });

  letAnswerFirst(http, rewrite ?? (({ url }) => url ?? '/'));
  limitPipelining(http);
  keepChecksApart(http);
  followRequests(http);
  http.server.on('checkExpectation', (_request, response) => answerExpectation(response, headers));

  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    try {
      const encoding = request.headers['content-encoding'] ?? 'identity';
      if (encoding !== 'identity')
        throw new Refusal('unsupported_media_type', 'Send the request body without a content-encoding.');
      // An empty body with a JSON content type is what many clients send for "nothing".
      const { bearer } = request.routeOptions.config;
      done(null, body === '' ? undefined : parseJsonBody(body as string, BODY_OF[bearer ?? 'key']));
    } catch (error) {
      done(error as Error);
    }
  });

  // Builds serializers on first use: compiling all of them costs more than the rest of the start.
  http.setSerializerCompiler(({ schema }) => {
    let serialize: ((data: unknown) => string) | null = null;
    return (data) => {
      serialize ??= fastJson(schema as never);
      return serialize(data);
    };
  });

  http.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    refuseUnclearHost(request.raw);
    const host = virtualHostOf(request.raw);
    if (host.kind === 'nowhere') throw new Refusal('not_found', 'Nothing is served under this name.');
    if (host.kind === 'page') setTransportSecurity(reply, host.isCertified);
    if (isForeign(request, base))
      throw new Refusal(
        'forbidden',
        host.kind === 'page'
          ? 'Requests that change something are only accepted from the pages of this domain.'
          : `Requests that change something are only accepted from the same origin: ${base.origin} (BASE_URL).`,
      );
  });

  http.setNotFoundHandler((request, reply) => {
    // The path as the client asked for it: the rewritten one has the slug of a page, which may be a draft.
    const path = pathOf(request.originalUrl);
    const said = [`There is nothing at ${request.method} ${path}.`, elsewhere(path)].filter(Boolean);
    reply.status(404).send({ error: 'not_found', message: said.join(' ') });
  });

  http.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = error instanceof Refusal ? error : refusalOfFramework(error);
    if (refusal) {
      if (refusal.details.retryAfterSeconds !== undefined)
        reply.header('retry-after', String(refusal.details.retryAfterSeconds));
      return reply.status(refusal.status).send(refusal.body());
    }
    log.error(
      { err: error, request_id: request.id, method: request.method, path: loggedPathOf(request.url) },
      'request failed',
    );
    const body = new Refusal('internal', 'Something went wrong on our side.').body();
    return reply.status(500).send({ ...body, request_id: request.id });
  });
  return http;
}

/** A custom domain has https once it has a certificate, whatever the installation's own address is. */
function setTransportSecurity(reply: FastifyReply, isCertified: boolean): void {
  if (isCertified) reply.header('strict-transport-security', 'max-age=31536000');
  else reply.removeHeader('strict-transport-security');
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? url;

/** The path of a ping, of a link in a mail, or of a calendar is itself the secret. */
const loggedPathOf = (url: string) =>
  pathOf(url).replace(
    /^(\/(?:(?:heartbeat|ack|calendars|subscriptions(?:\/confirm)?)|status\/[^/]+\/password)\/)[^/]+/,
    '$1…',
  );

/** The framework's own refusals in the one error shape; null if the fault is ours. */
function refusalOfFramework(error: FastifyError): Refusal | null {
  if (isDatabaseAway(error))
    return new Refusal(
      'unavailable',
      'The database is unavailable or too busy right now; try again shortly.',
      {
        retryAfterSeconds: 2,
      },
    );
  if ((error as { code?: string }).code === '53100')
    return new Refusal(
      'unavailable',
      'The database disk is full, and nothing of this was stored. Try again when the operator has made room.',
      { retryAfterSeconds: 30 },
    );
  // The organization was deleted after the request was let in.
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23503' && constraint?.endsWith('_org_id_fkey'))
    return new Refusal('not_found', 'This organization no longer exists.');
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('payload_too_large', 'The request body is larger than this operation accepts.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_media_type', 'Send the request body as application/json.');
    default:
      if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
        return new Refusal('invalid_request', 'The request is malformed.');
      return null;
  }
}
