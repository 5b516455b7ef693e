// HEARTBEAT_OUT_URL: another installation watches this one. It is called while this one does what it is for, so silence means
// that it does not, whatever the reason.
import { Gauge } from 'prom-client';
import { dueDeliveries } from '../notifications/delivery/queue.ts';
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import type { Log } from '../platform/log.ts';
import { registry } from '../platform/metrics.ts';
import { request } from '../platform/outbound/request.ts';
import type { Database } from '../platform/work.ts';
import { onlineRegions } from '../regions/liveness.ts';
import { untriedNotices } from '../user-notifications/claim.ts';

export type HeartbeatOutOptions = {
  /** May hold a token: never logged. */
  url: string;
  db: Database;
  disk: Pick<DiskGuard, 'resultsPaused'>;
  clock: () => Date;
  log: Log;
};

const WITHIN_MS = 10_000;
const UNTRIED_SECONDS = 60;

const lastSuccess = new Gauge({
  name: 'tocsin_heartbeat_out_last_success_timestamp_seconds',
  help: 'When HEARTBEAT_OUT_URL last answered with 2xx; absent before, and without that setting',
  registers: [registry],
});
const begun = new Gauge({
  name: 'tocsin_heartbeat_out_begun_timestamp_seconds',
  help: 'Since when this server has been to call HEARTBEAT_OUT_URL; absent without that setting',
  registers: [registry],
});
// Until then there is no time, rather than 1970.
for (const gauge of [lastSuccess, begun]) gauge.remove();

/**
 * Why this installation does not do what it is for, as a sentence; null: it does. A region counts as online while a probe of it asks
 * for monitors and its results are stored. A target that fails, and whoever waits behind it, is no fault of ours.
 */
export async function unhealthyReason({
  db,
  disk,
  clock,
}: Omit<HeartbeatOutOptions, 'url' | 'log'>): Promise<string | null> {
  if (disk.resultsPaused())
    return 'results of checks are not stored: the disk of the database is full, or nearly';
  const now = clock();
  if ((await onlineRegions(db, now)).size === 0) return 'no region is online: nothing is checked';
  if ((await dueDeliveries(db, now)).oldestSeconds > UNTRIED_SECONDS)
    return 'a delivery to a notification target has waited untried for over a minute';
  if ((await untriedNotices(db, now)).oldestSeconds > UNTRIED_SECONDS)
    return 'a mail or push to a person has waited untried for over a minute';
  return null;
}

/** The result of one turn: the call arrived, failed, or was not made, with the reason. */
export type HeartbeatOutcome = { kind: 'called' } | { kind: 'not_well' | 'in_vain'; reason: string };

/** Calls once if all is well; `signal` ends a call. Never rejects. */
export async function sendHeartbeat(
  options: HeartbeatOutOptions,
  signal?: AbortSignal,
): Promise<HeartbeatOutcome> {
  const { url, clock } = options;
  const trouble = await unhealthyReason(options).catch(reasonOf);
  if (trouble !== null) return { kind: 'not_well', reason: trouble };
  try {
    // The operator has named this address: it may be in the operator's own network.
    const { status } = await request({
      ...{ url, method: 'GET', headers: { 'user-agent': 'Tocsin' } },
      ...{ policy: { allowPrivate: true }, timeoutMs: WITHIN_MS, maxReplyBytes: 1024 },
      signal,
    });
    if (status < 200 || status > 299) return { kind: 'in_vain', reason: `it answered with status ${status}` };
    lastSuccess.set(clock().getTime() / 1000);
    return { kind: 'called' };
  } catch (error) {
    return { kind: 'in_vain', reason: reasonOf(error) };
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const PAUSES_MS: Readonly<Record<HeartbeatOutcome['kind'], number>> = {
  called: 60_000,
  not_well: 1_000,
  in_vain: 10_000,
};

/** Calls as soon as all is well, then every minute while it is. */
export function startHeartbeatOut(options: HeartbeatOutOptions): { stop: () => Promise<void> } {
  const { log, clock } = options;
  // An address that has never answered is an alert, too.
  begun.set(clock().getTime() / 1000);
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let said: string | null = null;
  let running = Promise.resolve();

  const turn = async () => {
    const startedAt = performance.now();
    const outcome = await sendHeartbeat(options, stopping.signal);
    if (stopping.signal.aborted) return;
    const reason = outcome.kind === 'called' ? null : outcome.reason;
    if (reason !== null && reason !== said) log.warn({ reason, kind: outcome.kind }, 'no outgoing heartbeat');
    if (reason === null && said !== null) log.info('the outgoing heartbeat works again');
    said = reason;
    next(Math.max(0, PAUSES_MS[outcome.kind] - (performance.now() - startedAt)));
  };
  const next = (inMs: number) => {
    timer = setTimeout(() => {
      running = turn();
    }, inMs);
  };
  // The first call waits for the first probe, which comes within seconds of the start.
  next(PAUSES_MS.not_well);
  return {
    async stop() {
      clearTimeout(timer);
      // An address that does not answer would hold up everything that is stopped behind this.
      stopping.abort();
      await running;
    },
  };
}
