// GET | POST | HEAD /heartbeat/{token}[/start | /fail | /{exit_code}] (docs/rules/monitor-types.md#pings). The token is the
// only credential. These are no operations of the API, because a body may have any content type.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { heartbeatHash, TOKEN } from '../monitors/heartbeats.ts';
import type { FirstOwnerOf } from '../organizations/first-owner.ts';
import { currentAsker } from '../platform/db/asker.ts';
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import { chargeTo } from '../platform/http/current-request.ts';
import type { KnownCallers } from '../platform/http/known-callers.ts';
import type { PerMinute } from '../platform/http/per-minute.ts';
import type { TenantLimits } from '../platform/http/tenant-limits.ts';
import type { Log } from '../platform/log.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import type { EnsureDays } from '../series/days.ts';
import { evaluateHeartbeats } from './overdue.ts';
import { type Ping, type Received, recordPing } from './ping.ts';
import { type PingBody, readPingBody } from './ping-body.ts';
import { unlimited } from './ping-limit.ts';

export type PingRoutesOptions = {
  db: Database;
  ensureDays: EnsureDays;
  clock: () => Date;
  log: Log;
  /** Absent: no limit. */
  limit?: PerMinute;
  limits: TenantLimits | null;
  known: KnownCallers;
  firstOwnerOf: FirstOwnerOf;
  disk: Pick<DiskGuard, 'resultsPaused'>;
};

type PingParams = { token: string; signal?: string };

const MAX_RID = 64;
const EXIT_CODE = /^-?\d{1,10}$/;
const MAX_CODE = 255;

export async function servePings(http: FastifyInstance, options: PingRoutesOptions): Promise<void> {
  await http.register((pings, _options, done) => {
    // The content type does not matter, and a malformed one must not lose a ping.
    pings.addHook('onRequest', async (request) => {
      delete request.raw.headers['content-type'];
    });
    pings.removeAllContentTypeParsers();
    pings.addContentTypeParser('*', (_request, payload, parsed) => {
      readPingBody(payload).then((body) => parsed(null, body), parsed);
    });
    for (const url of ['/heartbeat/:token', '/heartbeat/:token/:signal'])
      pings.route<{ Params: PingParams }>({
        method: ['GET', 'HEAD', 'POST'],
        url,
        handler: (request, reply) => answer(request, reply, options),
      });
    done();
  });
}

async function answer(
  request: FastifyRequest<{ Params: PingParams }>,
  reply: FastifyReply,
  options: PingRoutesOptions,
): Promise<FastifyReply> {
  const { db, ensureDays, clock, log, limit = unlimited, disk } = options;
  const { token } = request.params;
  const signal = signalOf(request.params.signal);
  if (!TOKEN.test(token) || signal === null) return notFound('heartbeat');
  const body = request.body as PingBody | null | undefined;
  const ping: Ping = {
    token,
    rid: ridOf(request.query),
    signal,
    // While the disk is full, the ping is stored without its body: the sender will not repeat it.
    body: (disk.resultsPaused() ? null : body?.text) ?? strangeCode(request.params.signal),
  };
  reply.headers({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' });
  if (body?.isWhole === false) reply.header('connection', 'close');
  await limit.count(token);

  const received = await inTurnOf(token, options, async () => {
    const now = clock();
    await ensureDays([now.getTime()]);
    const received = await recordPing(db, ping, now);
    // The ping is stored. If this fails, the next turn of the loop evaluates it.
    if (received?.needsEvaluation)
      await evaluateHeartbeats({ db, ensureDays, log }, clock(), received.monitorNo).catch((err: unknown) =>
        log.warn({ err, monitor_no: received.monitorNo }, 'a ping was stored but not evaluated yet'),
      );
    return received;
  });
  if (!received) {
    limit.forget(token);
    return notFound('heartbeat');
  }
  return reply.type('text/plain; charset=utf-8').send('OK');
}

/** Handles a ping in the fair share of the monitor's tenant, or of the address while this server does not know the token. */
async function inTurnOf(
  token: string,
  { db, clock, limits, known, firstOwnerOf }: PingRoutesOptions,
  act: () => Promise<Received | null>,
): Promise<Received | null> {
  const credential = heartbeatHash(token);
  const tenant = known.of(credential) ?? currentAsker().tenant;
  chargeTo(tenant);
  const received = tenant === null || limits === null ? await act() : await limits.inTurn(tenant, act);
  if (!received) known.forget(credential);
  else if (known.of(credential) === undefined) {
    const { org_id: id } = await db
      .selectFrom('monitors')
      .select('org_id')
      .where('no', '=', received.monitorNo)
      .executeTakeFirstOrThrow();
    known.learn(credential, { id, owner: await firstOwnerOf(id, clock()) });
  }
  return received;
}

/** The meaning of the last path segment; null when it is unknown. */
function signalOf(word: string | undefined): Ping['signal'] | null {
  if (word === undefined) return { kind: 'ended', ok: true, code: null };
  if (word === 'start') return { kind: 'started' };
  if (word === 'fail') return { kind: 'ended', ok: false, code: null };
  if (!EXIT_CODE.test(word)) return null;
  const code = Number(word);
  // Windows has negative and 32-bit codes: a failure like any other, stored as text.
  return { kind: 'ended', ok: code === 0, code: code >= 0 && code <= MAX_CODE ? code : null };
}

/** The text stored for an exit code outside 0 to 255 when there is no body. */
function strangeCode(word: string | undefined): string | null {
  const strange = word !== undefined && EXIT_CODE.test(word) && (Number(word) < 0 || Number(word) > MAX_CODE);
  return strange ? `exit code ${Number(word)}` : null;
}

function ridOf(query: unknown): string {
  const { rid = '' } = query as { rid?: unknown };
  if (typeof rid !== 'string' || rid.length > MAX_RID || rid.includes('\0'))
    refuse('invalid_request', `rid must be a single text of at most ${MAX_RID} characters.`, {
      field: 'rid',
    });
  return rid;
}
