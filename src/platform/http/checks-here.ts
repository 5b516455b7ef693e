// Requests that monitors make to this very installation: served like a stranger's, and believed nothing.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { CHECK_MARK } from '#src/domain/check-mark.ts';

/** By what a proxy tells for whom it asks. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

/** Whether a check asks, of whoever's monitor. */
export const isFromCheck = (headers: IncomingHttpHeaders): boolean => headers[CHECK_MARK] !== undefined;

/**
 * A check comes from where the probe runs, which may be where a trusted proxy does: what it forwards is dropped, and it is
 * counted apart from the people behind the same address. Call it before any other hook is added.
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
