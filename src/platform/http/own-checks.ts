// Requests that monitors make to this installation itself: served like a stranger's, and not trusted.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { CHECK_MARK } from '#src/domain/check-mark.ts';

/** Headers in which a proxy names its client. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

/** Whether the request is a check, whoever owns the monitor. */
export const isFromCheck = (headers: IncomingHttpHeaders): boolean => headers[CHECK_MARK] !== undefined;

/**
 * A check comes from the probe's address, which may be a trusted proxy's. So its forwarding headers are dropped, and it is
 * counted apart from people behind the same address. Call this before any other hook is added.
 */
export function keepChecksApart(http: FastifyInstance): void {
  http.server.prependListener('request', ({ headers }) => {
    if (isFromCheck(headers)) for (const name of FORWARDING) delete headers[name];
  });
  http.addHook('onRequest', (request, _reply, done) => {
    if (isFromCheck(request.headers))
      Object.defineProperty(request, 'ip', { value: `check from ${request.socket.remoteAddress ?? ''}` });
    done();
  });
}
