// Bypasses the framework for answers from memory, because its routing, hooks and reply cost more than such an answer. The code
// that counts and limits connections still sees the request.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Answers a request at once, or leaves it alone and returns false. `url` is the address after routing. */
export type AnswerFirst = (request: IncomingMessage, response: ServerResponse, url: string) => boolean;

const first = new WeakMap<Server, AnswerFirst>();

/** Makes room in front of a server's routes; call it before anything else listens to its requests. */
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

/** Lets this function answer the requests of a server if it can. */
export function answerFirst({ server }: FastifyInstance, answer: AnswerFirst): void {
  first.set(server, answer);
}
