// The row behind every heartbeat monitor: its token and the state that a ping needs (migration 0015). Every writer of the
// monitor updates it in the same unit of work, with the monitor's state locked.
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { ConfirmationState } from '../domain/confirmation-state.ts';
import {
  awaitsRecovery,
  earlier,
  findingAt,
  type Heartbeat,
  nextTurnMs,
  upcomingInstants,
} from '../domain/heartbeat.ts';
import { dueAfter } from '../domain/heartbeat-schedule.ts';
import { hashToken, randomToken, type Vault } from '../platform/secrets.ts';
import type { Work } from '../platform/work.ts';
import { type HeartbeatRow, heartbeatOf } from './heartbeat-row.ts';
import type { HeartbeatConfig } from './types/heartbeat/config.ts';

/** The number of cron times that are stored ahead for the pings to come. */
export const UPCOMING = 24;

/** The address that the job calls; `baseUrl` is the installation's. */
export function pingUrl(baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/heartbeat/${token}`;
}

/** 160 random bits in 27 characters that need no escaping anywhere. */
const newToken = (): string => randomToken(20);

/** The hash by which a token is looked up. */
export const heartbeatHash = (token: string): string => hashToken(token).toString('hex');

export const heartbeatContext = (hash: string) => `heartbeat ${hash} token`;

/** A token as it is stored: sealed, so that nobody who reads the database can call the address. */
export function storedToken(token: string, vault: Vault) {
  const hash = heartbeatHash(token);
  return { token_hash: hash, token_sealed: vault.seal(token, heartbeatContext(hash)), token_clear: null };
}
export const TOKEN = /^[A-Za-z0-9_-]{20,64}$/;

export type HeartbeatMonitor = {
  no: number;
  type: string;
  /** Complete. */
  config: Record<string, unknown>;
  enabled: boolean;
  interval_seconds: number;
  state: ConfirmationState;
};

/**
 * Creates, changes or removes the row of a monitor that was just created or changed, whatever its type. A change of the config
 * or the switch resets the expectation: the next ping is expected a period from now (or at the next cron time), so that an edit
 * alone raises no alarm. Before the very first ping, none is expected.
 */
export async function keepHeartbeat(work: Work, monitor: HeartbeatMonitor, vault: Vault): Promise<void> {
  const { tx, now } = work;
  if (monitor.type !== 'heartbeat') {
    await tx.deleteFrom('heartbeats').where('monitor_no', '=', monitor.no).execute();
    return;
  }
  const config = monitor.config as HeartbeatConfig;
  const settings = {
    paused: !monitor.enabled,
    schedule: JSON.stringify(config.schedule),
    grace_seconds: config.grace_seconds,
    max_runtime_seconds: config.max_runtime_seconds,
    upcoming: upcomingInstants(config.schedule, now.getTime(), UPCOMING),
  };
  const row = await lockRow(work, monitor.no);
  if (!row) {
    const made = { monitor_no: monitor.no, ...storedToken(newToken(), vault), ...settings };
    await tx.insertInto('heartbeats').values(made).execute();
    return;
  }
  const switched = row.paused !== settings.paused;
  const isSame =
    !switched &&
    isDeepStrictEqual(row.schedule, config.schedule) &&
    row.grace_seconds === config.grace_seconds &&
    row.max_runtime_seconds === config.max_runtime_seconds;
  const changes = isSame
    ? // Its state may still start anew: the next ping finds out.
      { unsettled: true }
    : { ...settings, ...(switched ? { runs: '{}' } : {}), ...startAnew(work, monitor, row, switched) };
  await tx.updateTable('heartbeats').set(changes).where('monitor_no', '=', monitor.no).execute();
}

/** A heartbeat in an export, with its monitor. */
export type HeartbeatHistory = {
  token: string;
  last_beat_at: string | null;
  last_ok: boolean | null;
  last_code: number | null;
  last_duration_ms: number | null;
};

/**
 * Gives the row of an imported monitor its history, and its old address unless the installation uses that already, so that jobs
 * continue after a move. Resets the expectation. Returns false if there is no such row.
 */
export async function resumeHeartbeat(
  work: Work,
  no: number,
  history: HeartbeatHistory,
  vault: Vault,
): Promise<boolean> {
  const { tx } = work;
  const row = await tx
    .selectFrom('heartbeats')
    .innerJoin('monitors', 'monitors.no', 'heartbeats.monitor_no')
    .innerJoin('monitor_state', 'monitor_state.monitor_no', 'monitors.no')
    .select(['monitors.enabled', 'monitors.interval_seconds', 'monitor_state.state'])
    .selectAll('heartbeats')
    .where('heartbeats.monitor_no', '=', no)
    .executeTakeFirst();
  if (!row) return false;
  const { token, last_beat_at, last_ok, last_code, last_duration_ms } = history;
  const { enabled, interval_seconds, schedule, grace_seconds, max_runtime_seconds } = row;
  const config = { schedule, grace_seconds, max_runtime_seconds };
  const waits = startAnew(
    work,
    { enabled, interval_seconds, config, state: row.state as ConfirmationState },
    { ...row, last_beat_at: instantOf(last_beat_at), last_ok },
    false,
  );
  const kept = storedToken(token, vault);
  const { rows } = await sql`SELECT 1 FROM heartbeats WHERE token_hash = ${kept.token_hash}`.execute(tx);
  await tx
    .updateTable('heartbeats')
    .set({ last_beat_at, last_code, last_duration_ms, ...waits, ...(rows.length === 0 ? kept : {}) })
    .where('monitor_no', '=', no)
    .execute();
  return true;
}

/**
 * The next due time, and the time to look at it. A failed heartbeat is still looked at, unless it was `switched` on or off, and so
 * is a run that takes too long by what is in force now.
 */
function startAnew(
  { now }: Work,
  monitor: Omit<HeartbeatMonitor, 'no' | 'type'>,
  before: HeartbeatRow,
  switched: boolean,
) {
  const {
    schedule,
    grace_seconds: grace,
    max_runtime_seconds: maxRuntime,
  } = monitor.config as HeartbeatConfig;
  const nowMs = now.getTime();
  const isAwaited = monitor.enabled && (before.last_beat_at !== null || before.due_at !== null);
  const waiting = heartbeatOf({ ...before, schedule, grace_seconds: grace, max_runtime_seconds: maxRuntime });
  const heartbeat: Heartbeat = {
    ...waiting,
    lastOk: switched ? null : waiting.lastOk,
    dueMs: isAwaited ? dueAfter(schedule, nowMs) : null,
    runs: switched ? [] : waiting.runs,
  };
  const isTroubled = findingAt(heartbeat, nowMs)?.status === 'down' || awaitsRecovery(monitor.state);
  const recheckMs = isTroubled && isAwaited ? nowMs + monitor.interval_seconds * 1000 : null;
  return {
    last_ok: heartbeat.lastOk,
    due_at: dateOf(heartbeat.dueMs),
    extended: false,
    excused: 0,
    unsettled: true,
    unread_from: null,
    recheck_at: dateOf(recheckMs),
    look_at: dateOf(earlier(nextTurnMs(heartbeat, nowMs), recheckMs)),
  };
}

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms));

function lockRow({ tx }: Work, no: number) {
  return tx
    .selectFrom('heartbeats')
    .selectAll()
    .where('monitor_no', '=', no)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

const instantOf = (text: string | null) => (text === null ? null : new Date(text));
