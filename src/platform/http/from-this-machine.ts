import type { FastifyRequest } from 'fastify';
import { isFromCheck } from './own-checks.ts';

/** Whether the address of a peer, in the notation of its socket, is on loopback. */
export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);

/** Whether the peer is on loopback and calls for itself, which a proxy on this machine does not. */
export function isFromThisMachine({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): boolean {
  if (isFromCheck(headers)) return false;
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && isLoopback(socket.remoteAddress ?? '');
}
