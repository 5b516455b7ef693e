// Receives pings in one server and detects the missing ones.
import type { FastifyInstance } from 'fastify';
import { makeEnsureDays } from '../series/days.ts';
import { type HeartbeatLoopOptions, startHeartbeatLoop } from './loop.ts';
import { makePingLimit } from './ping-limit.ts';
import { type PingRoutesOptions, servePings } from './ping-routes.ts';

export type HeartbeatsOptions = Omit<PingRoutesOptions & HeartbeatLoopOptions, 'ensureDays' | 'limit'> & {
  /** Whether pings are rate limited. */
  limited: boolean;
  /** Whether missing pings are detected. */
  detectsMissing: boolean;
};

/** Receives pings from now on; resolves after the first check for missing ones. */
export async function serveHeartbeats(
  http: FastifyInstance,
  { limited, detectsMissing, ...options }: HeartbeatsOptions,
): Promise<{ stop: () => Promise<void> }> {
  const context = { ...options, ensureDays: makeEnsureDays(options.db) };
  await servePings(http, { ...context, ...(limited ? { limit: makePingLimit() } : {}) });
  return detectsMissing ? startHeartbeatLoop(context) : { stop: async () => undefined };
}
