// Which request the code that runs right now works for, wherever it was called from: so that an error nobody caught ends
// that request, and not the process.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientBlock } from '#src/domain/client-block.ts';
import { type Asker, askingFor, type Tenant } from '../db/asker.ts';

type Running = { request: FastifyRequest; reply: FastifyReply; asker: Asker };
const known = new WeakMap<FastifyRequest, Running>();
const current = new AsyncLocalStorage<Running>();

/**
 * Every response of this server hears its own errors (a client that is gone), and every request is known to what runs for
 * it. Call it before any other hook is added.
 */
export function followRequests(http: FastifyInstance): void {
  http.server.on('request', (request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
  });
  http.addHook('onRequest', (request, reply, done) => {
    const address = clientBlock(request.ip);
    const asker: Asker = { tenant: { id: `address ${address}`, owner: null }, address };
    // What it set off and goes on afterwards is the system's.
    reply.raw.once('close', () => {
      asker.tenant = null;
    });
    const running = { request, reply, asker };
    known.set(request, running);
    enter(running, done);
  });
  // A body arrives in the context of its connection.
  http.addHook('preValidation', (request, _reply, done) => {
    const running = known.get(request);
    if (running) enter(running, done);
    else done();
  });
}

const enter = (running: Running, act: () => void) =>
  askingFor(running.asker, () => current.run(running, act));

/** From now on the current request asks the database for this tenant; null: for the system. */
export function chargeTo(tenant: Tenant | null): void {
  const running = current.getStore();
  if (running) running.asker.tenant = tenant;
}

/** The current request is of a person we know, by their e-mail address: they go before strangers where many wait. */
export function recognize(email: string): void {
  const running = current.getStore();
  if (running) running.asker.person = email.trim().toLowerCase();
}

/**
 * Ends the request that an uncaught error belongs to: 500 where nothing was said yet, else the connection is cut. Answers
 * its id and what was asked; null where the error belongs to no request.
 */
export function endRequestOf(error: unknown): { request_id: string; method: string; route: string } | null {
  const running = current.getStore();
  if (!running) return null;
  const { request, reply } = running;
  if (reply.sent || reply.raw.headersSent) reply.raw.destroy();
  else reply.send(error);
  return { request_id: request.id, method: request.method, route: request.routeOptions.url ?? '' };
}
