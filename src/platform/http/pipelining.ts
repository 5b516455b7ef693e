// Limits the unanswered requests of one connection. HTTP lets a client send on without waiting, and all requests in one
// read would start at once: a thousand and more before the first is answered.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Browsers and proxies send one after the other; libraries that pipeline, a few. */
export const UNANSWERED_PER_CONNECTION = 8;

/** Cuts a connection with more unanswered requests. No handler sees the excess request or those after it. */
export function limitPipelining({ server }: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  const emit = server.emit.bind(server);
  server.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event !== 'request') return emit(event, ...args);
    const [{ socket }, response] = args as [IncomingMessage, ServerResponse];
    const before = unanswered.get(socket) ?? 0;
    if (before >= UNANSWERED_PER_CONNECTION) {
      stopParsing(socket);
      socket.destroy();
      return true;
    }
    unanswered.set(socket, before + 1);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    return emit(event, ...args);
  };
}

/** Looks to Node's parser like an upgrade to another protocol, so it parses no more of what it has read. */
const ENDS_THE_PROTOCOL = 2;

/**
 * One read may hold a thousand more requests, and parsing each costs time even if no handler sees it. 600 connections
 * with 1,300 requests each blocked the event loop for 13 s; for 6 s if they were only cut; for 0.2 s with this.
 */
function stopParsing(socket: Socket & { parser?: { onIncoming: () => number } }): void {
  if (socket.parser) socket.parser.onIncoming = () => ENDS_THE_PROTOCOL;
}
