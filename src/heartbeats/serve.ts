// The heartbeats of one server: it takes pings, and looks for those that are missing.
import type { FastifyInstance } from 'fastify';
import { makeEnsureDays } from '../series/days.ts';
import { type HeartbeatLoopOptions, startHeartbeatLoop } from './loop.ts';
import { makePingLimit } from './ping-limit.ts';
import { type PingRoutesOptions, servePings } from './ping-routes.ts';

export type HeartbeatsOptions = Omit<PingRoutesOptions & HeartbeatLoopOptions, 'ensureDays' | 'limit'> & {
  /** Whether pings are limited by time. */
  limited: boolean;
  /** Whether missing pings are looked for. */
  looks: boolean;
};

/** Takes pings from now on; resolves after the first look for missing ones. */
export async function serveHeartbeats(
  http: FastifyInstance,
  { limited, looks, ...options }: HeartbeatsOptions,
): Promise<{ stop: () => Promise<void> }> {
  const context = { ...options, ensureDays: makeEnsureDays(options.db) };
  await servePings(http, { ...context, ...(limited ? { limit: makePingLimit() } : {}) });
  return looks ? startHeartbeatLoop(context) : { stop: async () => undefined };
}
