// Knows the request that the running code works for, so that an uncaught error ends that request and not the process.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientBlock } from '#src/domain/client-block.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { type Asker, askingFor, type Tenant } from '../db/asker.ts';
import { preferredOf } from '../page-language.ts';

type Running = { request: FastifyRequest; reply: FastifyReply; asker: Asker };
const known = new WeakMap<FastifyRequest, Running>();
const current = new AsyncLocalStorage<Running>();

/**
 * Lets every response handle its own errors (a client that is gone), and makes every request known to the code that runs for
 * it. Call this before any other hook is added.
 */
export function followRequests(http: FastifyInstance): void {
  http.server.on('request', (request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
  });
  http.addHook('onRequest', (request, reply, done) => {
    const address = clientBlock(request.ip);
    const asker: Asker = { tenant: { id: `address ${address}`, owner: null }, address };
    // Work that goes on after the answer belongs to the system.
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

/** From now on the current request queries the database for this tenant; null: for the system. */
export function chargeTo(tenant: Tenant | null): void {
  const running = current.getStore();
  if (running) running.asker.tenant = tenant;
}

/** Marks the current request as one of a known person, who goes before strangers in a queue. */
export function recognize(email: string): void {
  const running = current.getStore();
  if (running) running.asker.person = email.trim().toLowerCase();
}

/** The language that the browser behind the running code prefers among ours; null if it prefers none of them. */
export function browserLanguage(): PageLanguage | null {
  return preferredOf(current.getStore()?.request.headers['accept-language']);
}

/**
 * Ends the request that an uncaught error belongs to: with 500 if no answer has begun, otherwise by cutting the connection.
 * Returns its id and its address; null if the error belongs to no request.
 */
export function endRequestOf(error: unknown): { request_id: string; method: string; route: string } | null {
  const running = current.getStore();
  if (!running) return null;
  const { request, reply } = running;
  if (reply.sent || reply.raw.headersSent) reply.raw.destroy();
  else reply.send(error);
  return { request_id: request.id, method: request.method, route: request.routeOptions.url ?? '' };
}
