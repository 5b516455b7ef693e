// Records refusals by role, scope or credential: a counter by operation and code, without tenants, and a log line.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Log } from '../log.ts';
import { registry } from '../metrics.ts';
import { Refusal } from '../refusals.ts';
import { isBearer } from './authorize.ts';
import type { Caller, RequestIdentity } from './caller.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Id of the declared operation. */
    operation?: string;
  }
}

const refusals = new Counter({
  name: 'tocsin_refusals_total',
  help: 'Requests refused by role, scope or credential (403, and 401 with a Bearer credential)',
  labelNames: ['operation', 'code'],
  registers: [registry],
});

/** Log lines a minute about one caller and about all, so that a refused loop cannot fill the disk. */
const LINES_EACH = 5;
const LINES = 60;
const MINUTE_SECONDS = 60;

/** Records every refusal of this server; `seenOf` returns the known facts about a request. */
export function noteRefusals(
  http: FastifyInstance,
  log: Log,
  seenOf: (request: FastifyRequest) => RequestIdentity,
): void {
  const perCaller = new RateLimiterMemory({ points: LINES_EACH, duration: MINUTE_SECONDS });
  const all = new RateLimiterMemory({ points: LINES, duration: MINUTE_SECONDS, keyPrefix: 'all' });
  const isLeft = (limit: RateLimiterMemory, of: string) =>
    limit.consume(of).then(
      () => true,
      () => false,
    );

  http.addHook('onError', async (request, _reply, error: Error) => {
    if (!(error instanceof Refusal) || !isNoted(error, request)) return;
    const operation = request.routeOptions.config.operation ?? '';
    refusals.inc({ operation, code: error.code });
    const { caller, resource } = seenOf(request);
    const actor = idOf(caller);
    if (!(await isLeft(perCaller, actor ?? request.ip)) || !(await isLeft(all, ''))) return;
    log.warn(
      {
        operation,
        code: error.code,
        actor_kind: caller?.kind ?? null,
        actor,
        org_id: resource?.orgId || null,
        address: request.ip,
      },
      'request refused',
    );
  });
}

function isNoted({ status }: Refusal, { headers }: FastifyRequest): boolean {
  return status === 403 || (status === 401 && isBearer(headers.authorization));
}

function idOf(caller: Caller | null): string | null {
  if (caller === null) return null;
  if (caller.kind === 'user') return caller.userId;
  if (caller.kind === 'agent') return caller.agentId;
  if (caller.kind === 'wall') return caller.linkId;
  return caller.kind === 'key' ? caller.keyId : caller.tokenId;
}
