// Request limits (docs/rules/limits.md#requests-a-minute), counted in this process's memory before any look-up, and together
// with the other servers of the installation.
import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { clientBlock } from '#src/domain/client-block.ts';
import { refuse } from '../refusals.ts';
import { isBearer } from './authorize.ts';
import { bearerHash, sessionHashes } from './credential-hash.ts';
import type { KnownCallers } from './known-callers.ts';
import type { Limiters } from './shared-limiters.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counted per client address. */
    throttled?: boolean;
    /**
     * Looks a Bearer credential up in the database: an API key, or the token of an agent, a wall or a probe. All but a probe's
     * are counted per credential.
     */
    bearer?: 'key' | 'probe' | 'agent' | 'wall';
    /** Looks a session cookie up; counted per session, unless a Bearer credential comes with it. */
    session?: boolean;
  }
}

export type RateLimitOptions = {
  /** Whether a route without an operation is counted per client address. */
  isThrottled: (method: string, route: string) => boolean;
  /** Name of the session cookie. */
  sessionCookie: string;
  /** Credentials that a neighbour's failures behind the same address do not lock out. */
  known: Pick<KnownCallers, 'of'>;
  limiters: Limiters;
  /** Of the installation: decides which addresses share a counter. */
  key: Buffer;
};

const MINUTE_SECONDS = 60;
export const REQUESTS_PER_KEY = 600;
/** An agent sends one a minute, and after an outage it also posts its buffered heartbeats. */
export const REQUESTS_PER_AGENT = 60;
/** A screen asks every two seconds, and one link may be open on twenty screens. */
export const REQUESTS_PER_WALL = 600;
export const REQUESTS_PER_SESSION = 1_200;
export const REQUESTS_PER_ADDRESS = 60;
/** Invalid Bearer credentials from one address; each costs a look-up. */
export const FAILED_LOOK_UPS_PER_ADDRESS = 60;

/** Counters that all addresses share: about 25 MB when all are in use, for any number of addresses. */
const SLOTS = 65_536;

/**
 * Counts every request of this server; call it before the routes are mounted. Refuses requests over a limit with 429
 * `rate_limited` and `Retry-After`. A window begins with its first request.
 */
export function limitRates(
  http: FastifyInstance,
  { isThrottled, sessionCookie, known, limiters, key }: RateLimitOptions,
): void {
  const perKey = limiters('key', REQUESTS_PER_KEY, MINUTE_SECONDS);
  const perAgent = limiters('agent', REQUESTS_PER_AGENT, MINUTE_SECONDS);
  const perWall = limiters('wall', REQUESTS_PER_WALL, MINUTE_SECONDS);
  const perSession = limiters('session', REQUESTS_PER_SESSION, MINUTE_SECONDS);
  const perAddress = limiters('address', REQUESTS_PER_ADDRESS, MINUTE_SECONDS);
  const failedLookUps = limiters('failed look-ups', FAILED_LOOK_UPS_PER_ADDRESS, MINUTE_SECONDS);
  const slotOf = makeSlots(key);
  const sessions = new WeakMap<FastifyRequest, string>();
  const lookedUp = new WeakMap<FastifyRequest, { credential: string; slot: string }>();

  http.addHook('onRequest', async (request, reply) => {
    const { config, url = '' } = request.routeOptions;
    if (config.throttled || isThrottled(request.method, url))
      await count(
        perAddress,
        slotOf(request.ip),
        reply,
        'Too many attempts from your address; wait a moment and try again.',
      );
    const session = config.session ? hashOfSession(request.headers, sessionCookie) : null;
    if (session !== null) {
      sessions.set(request, session);
      await count(
        perSession,
        session,
        reply,
        `A session may make ${REQUESTS_PER_SESSION} requests a minute; wait for the next one.`,
      );
      return;
    }
    const credential = config.bearer ? bearerHash(request.headers.authorization) : null;
    if (credential === null) return;
    const slot = slotOf(request.ip);
    if (known.of(credential) === undefined)
      await refuseSpent(
        failedLookUps,
        slot,
        reply,
        'Too many requests from your address had an invalid credential; check it, and try again later.',
      );
    if (config.bearer === 'key')
      await count(
        perKey,
        credential,
        reply,
        `An API key may make ${REQUESTS_PER_KEY} requests a minute; wait for the next one.`,
      );
    if (config.bearer === 'agent')
      await count(
        perAgent,
        credential,
        reply,
        `An agent may post ${REQUESTS_PER_AGENT} times a minute; wait for the next one.`,
      );
    if (config.bearer === 'wall')
      await count(
        perWall,
        credential,
        reply,
        `A wall link may be used for ${REQUESTS_PER_WALL} requests a minute; create another one for more screens.`,
      );
    lookedUp.set(request, { credential, slot });
  });

  http.addHook('onSend', async (request, reply) => {
    const session = sessions.get(request);
    // Unknown sessions leave no counter behind either.
    if (session !== undefined && reply.statusCode === 401) await perSession.delete(session);
    const looked = lookedUp.get(request);
    if (!looked) return;
    const { credential, slot } = looked;
    if (reply.statusCode === 401) {
      // Unknown credentials leave no counter behind: the caller could invent any number of them.
      await perKey.delete(credential);
      await perAgent.delete(credential);
      await perWall.delete(credential);
      await failedLookUps.penalty(slot);
    }
  });
}

async function count(
  limit: RateLimiterMemory,
  of: string,
  reply: FastifyReply,
  sentence: string,
): Promise<void> {
  const spent = await limit.consume(of).then(
    (result) => ({ result, refused: false }),
    (result: RateLimiterRes) => ({ result, refused: true }),
  );
  const seconds = writeHeaders(reply, limit, spent.result);
  if (spent.refused) refuse('rate_limited', sentence, { retryAfterSeconds: seconds });
}

/** Refuses when nothing is left, without counting. */
async function refuseSpent(
  limit: RateLimiterMemory,
  of: string,
  reply: FastifyReply,
  sentence: string,
): Promise<void> {
  const spent = await limit.get(of);
  if (spent === null || spent.msBeforeNext <= 0 || spent.consumedPoints < limit.points) return;
  refuse('rate_limited', sentence, { retryAfterSeconds: writeHeaders(reply, limit, spent) });
}

/** Writes the headers; returns the seconds until the window ends. */
function writeHeaders(reply: FastifyReply, limit: RateLimiterMemory, spent: RateLimiterRes): number {
  const seconds = Math.max(1, Math.ceil(spent.msBeforeNext / 1000));
  reply.headers({
    'ratelimit-limit': String(limit.points),
    'ratelimit-remaining': String(Math.max(0, limit.points - spent.consumedPoints)),
    'ratelimit-reset': String(seconds),
  });
  return seconds;
}

/**
 * The hash of the session cookie; null if there is none, or if a Bearer credential takes precedence. Refuses several
 * cookies: a caller who chose which one counts could evade the limit.
 */
function hashOfSession({ authorization, cookie }: FastifyRequest['headers'], name: string): string | null {
  if (isBearer(authorization)) return null;
  const [session, ...more] = sessionHashes(cookie, name);
  if (more.length > 0) refuse('invalid_request', `The request has the cookie ${name} more than once.`);
  return session ?? null;
}

/**
 * Client addresses, hashed into a fixed number of counters, so that memory is bounded and nobody is forgotten. A secret of
 * the installation keeps attackers from choosing whose counter they use up.
 */
function makeSlots(key: Buffer): (address: string) => string {
  return (address) => {
    const hash = createHmac('sha256', key)
      .update(`client ${clientBlock(address)}`)
      .digest();
    return String(hash.readUInt32BE(0) % SLOTS);
  };
}
