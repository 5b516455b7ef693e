// `POST /agent/heartbeat`: cleans the readings of an agent, places them on the server's clock, stores them with the checks that
// its monitors derive from them, and decides those that need it (docs/rules/agents.md#protocol). While all is well this takes
// one exchange with the database.
import type { Static } from 'typebox';
import { AGENT_MODULES, HEARTBEAT_SECONDS, OF_MOUNT } from '../domain/agent.ts';
import {
  type FilteredReadings,
  filterReadings,
  isPlainName,
  namedDropped,
} from '../domain/agent-readings.ts';
import { DAY_MS } from '../domain/durations.ts';
import { serverTimesOf } from '../domain/heartbeat-times.ts';
import { SERVICE_KINDS } from '../domain/names.ts';
import type { AgentCaller } from '../platform/http/caller.ts';
import { validate } from '../platform/http/validate.ts';
import type { Log } from '../platform/log.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { AGENT_READINGS } from '../retention.ts';
import type { EnsureDays } from '../series/days.ts';
import { decideAgent } from './decide.ts';
import { type Measured, type Post, type StoredPost, storePost } from './heartbeat-statement.ts';
import { Heartbeat, type HeartbeatPost, MAX_DISKS, MAX_NAMES, MAX_SERVICES } from './protocol-contract.ts';

/** Creates the partitions of the readings' days first, because the statement cannot. */
export type HeartbeatContext = {
  db: Database;
  log: Log;
  version: string;
  ensureReadingDays: EnsureDays;
  ensureCheckDays: EnsureDays;
};

export type Accepted = { stored: StoredPost; dropped: string[]; intervalSeconds: number };

/** Buffered heartbeats per statement. */
const BATCH = 30;
const LIMITS = { disks: MAX_DISKS, services: MAX_SERVICES };

/** Accepts a post; null if the credential is void. A heartbeat counts even if some of its readings are dropped. */
export async function acceptHeartbeats(
  context: HeartbeatContext,
  agent: AgentCaller,
  body: HeartbeatPost,
  now: Date,
): Promise<Accepted | null> {
  const { heartbeats, postedMs } = heartbeatsOf(body);
  const { post, dropped } = postOf(heartbeats, postedMs, now);
  const days = [now.getTime(), ...post.heartbeats.map(({ at_ms }) => at_ms)];
  await context.ensureReadingDays(days);
  await context.ensureCheckDays(days);
  const stored = await storeInParts(context, agent, post, now);
  if (!stored) return null;
  // If results are stored and then not decided, the next heartbeat decides them: `undecided_from` says from when.
  const intervalSeconds = await decideAgent(context, agent, stored, now).catch((err: unknown) => {
    context.log.warn(
      { err, agent_id: agent.agentId },
      'heartbeats of an agent were stored, but could not be evaluated yet',
    );
    return HEARTBEAT_SECONDS;
  });
  return { stored, dropped: namedDropped(dropped), intervalSeconds };
}

/**
 * Stores buffered heartbeats in parts, each with its checks, because the cost of one grows with the number beside it. A stored
 * part stays stored, and is left out if the agent repeats the post.
 */
async function storeInParts(
  { db, version }: HeartbeatContext,
  agent: AgentCaller,
  post: Post,
  now: Date,
): Promise<StoredPost | null> {
  let from = 0;
  for (;;) {
    const heartbeats = post.heartbeats.slice(from, from + BATCH);
    const stored = await storePost(db, agent, { ...post, heartbeats, version }, now);
    from += BATCH;
    // The last part says from when on results of all of them are undecided.
    if (!stored || from >= post.heartbeats.length) return stored;
  }
}

type Heartbeats = readonly Static<typeof Heartbeat>[];

/** An agent sends a single heartbeat as it is, and buffered ones as a list. */
function heartbeatsOf({ heartbeats, ...one }: HeartbeatPost): { heartbeats: Heartbeats; postedMs: number } {
  if (heartbeats === undefined) {
    validate(Heartbeat, one);
    const heartbeat = one as Static<typeof Heartbeat>;
    return { heartbeats: [heartbeat], postedMs: heartbeat.sent_at_ms };
  }
  const { sent_at_ms: postedMs, ...beside } = one;
  const [field] = Object.keys(beside);
  if (field !== undefined) refuse('invalid_request', `${field} belongs into each of heartbeats.`, { field });
  return { heartbeats, postedMs: postedMs ?? heartbeats.at(-1)?.sent_at_ms ?? 0 };
}

function postOf(heartbeats: Heartbeats, postedMs: number, now: Date): { post: Post; dropped: string[] } {
  const placed = serverTimesOf(
    heartbeats.map(({ sent_at_ms }) => sent_at_ms),
    postedMs,
    now.getTime(),
  );
  const oldestMs = now.getTime() - AGENT_READINGS.keepDays * DAY_MS;
  const dropped: string[] = [];
  const measured: Measured[] = [];
  const seen = new Set<number>();
  let newest: FilteredReadings | null = null;
  for (const [i, heartbeat] of heartbeats.entries()) {
    const path = heartbeats.length === 1 ? '' : `heartbeats[${i}].`;
    const at_ms = placed[i] ?? 0;
    newest = filterReadings(heartbeat, LIMITS);
    dropped.push(...newest.dropped.map((name) => path + name));
    const { values, disks, services } = newest;
    if (seen.has(heartbeat.sent_at_ms)) dropped.push(`heartbeats[${i}]`);
    else if (at_ms > oldestMs)
      measured.push({ ...values, at_ms, sent_ms: heartbeat.sent_at_ms, disks, services });
    else dropped.push(path === '' ? 'sent_at_ms' : path.slice(0, -1));
    seen.add(heartbeat.sent_at_ms);
  }
  const last = heartbeats.at(-1);
  if ((last?.processes?.length ?? 0) > MAX_NAMES) dropped.push(`processes[${MAX_NAMES}…]`);
  if ((last?.service_inventory?.length ?? 0) > MAX_NAMES) dropped.push(`service_inventory[${MAX_NAMES}…]`);
  return {
    dropped,
    post: {
      heartbeats: measured,
      agentVersion: last?.agent_version ?? '',
      modules: AGENT_MODULES.filter((name) => last?.modules.includes(name)),
      readings: { ...newest?.values, ...ofMounts(newest?.disks ?? {}) },
      bootedAt: bootedAt(placed.at(-1) ?? 0, newest?.uptimeSeconds ?? null),
      inventory: inventoryOf(last),
    },
  };
}

/** null: unknown, or before there was time to count from. */
function bootedAt(atMs: number, uptimeSeconds: number | null): Date | null {
  if (uptimeSeconds === null) return null;
  const ms = atMs - Math.round(uptimeSeconds * 1000);
  return ms > 0 ? new Date(ms) : null;
}

const ofMounts = (disks: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(disks).map(([mount, pct]) => [OF_MOUNT + mount, pct]));

/** The names that can be shown, each once. The organization decides whether they are stored. */
function inventoryOf(heartbeat: Heartbeats[number] | undefined): Post['inventory'] {
  const { processes, service_inventory: services } = heartbeat ?? {};
  if (!processes && !services) return null;
  const known = (services ?? []).filter(
    ({ kind, name }) => (SERVICE_KINDS as readonly string[]).includes(kind) && isPlainName(name),
  );
  return {
    processes: [...new Set(processes ?? [])].filter(isPlainName).slice(0, MAX_NAMES),
    services: known.slice(0, MAX_NAMES).map(({ kind, name }) => ({ kind, name })),
  };
}
