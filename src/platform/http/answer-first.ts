// A way past the framework for what is answered from memory: routing, hooks and the reply of the framework cost more than such
// an answer does. Everything that counts and limits connections sees the request as well.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Answers a request at once, or leaves it alone and returns false. `url` is where it is routed to. */
export type AnswerFirst = (request: IncomingMessage, response: ServerResponse, url: string) => boolean;

const first = new WeakMap<Server, AnswerFirst>();

/** Makes room in front of the routes of a server; call it before anything else listens to its requests. */
export function letAnswerFirst(
  { server }: FastifyInstance,
  urlOf: (request: IncomingMessage) => string,
): void {
  const routes = server.listeners('request') as ((...given: [IncomingMessage, ServerResponse]) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (first.get(server)?.(request, response, urlOf(request))) return;
    for (const route of routes) route.call(server, request, response);
  });
}

/** Has requests of a server answered by this where it can. */
export function answerFirst({ server }: FastifyInstance, answer: AnswerFirst): void {
  first.set(server, answer);
}
