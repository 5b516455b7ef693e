// Processes the results that an agent's heartbeat gave its monitors, after they are stored: only for monitors that fail or have
// not recovered yet. A steady monitor that passes needs no decision.
import { sql } from 'kysely';
import { decideSince } from '../checks/decide.ts';
import { lockStates } from '../checks/monitored.ts';
import { HEARTBEAT_SECONDS } from '../domain/agent.ts';
import { intervalInForce } from '../domain/check-interval.ts';
import type { AgentCaller } from '../platform/http/caller.ts';
import type { Log } from '../platform/log.ts';
import { bisectFailures, noteSetAside } from '../platform/set-aside.ts';
import { type Database, runWork, SYSTEM, type Tx, type Work } from '../platform/work.ts';
import type { StoredPost } from './heartbeat-statement.ts';

/** While one of its monitors fails, the agent sends heartbeats as often as the policy asks for checks, but no more often. */
const MIN_SECONDS = 10;

/**
 * Decides, and returns the seconds until the agent must send the next heartbeat. A monitor that cannot be decided (its stored state is
 * broken, say) is set aside with these results; the others on its host are decided.
 */
export async function decideAgent(
  { db, log }: { db: Database; log: Log },
  { agentNo }: Pick<AgentCaller, 'agentNo'>,
  { undecided, undecided_from_ms: sinceMs }: Pick<StoredPost, 'undecided' | 'undecided_from_ms'>,
  now: Date,
): Promise<number> {
  if (undecided.length === 0 || sinceMs === null) return HEARTBEAT_SECONDS;
  const intervals: number[] = [];
  const failed = await bisectFailures(undecided, async (some) => {
    const decided = await runWork(db, now, SYSTEM, async (work) => {
      const seconds = await decideSome(work, some, sinceMs);
      if (some.length === undecided.length) await noteDecided(work.tx, agentNo, now);
      return seconds;
    });
    intervals.push(...decided);
  });
  for (const { item, error } of failed) noteSetAside(log, 'monitor', { monitor_no: item }, error);
  // Otherwise every heartbeat would process again all that came since.
  if (failed.length > 0) await noteDecided(db, agentNo, now);
  return Math.max(MIN_SECONDS, Math.min(HEARTBEAT_SECONDS, ...intervals));
}

/** Decides the results of these monitors since a time, and returns the seconds after which each of them is to be checked again. */
async function decideSome(work: Work, nos: readonly number[], sinceMs: number): Promise<number[]> {
  const locked = await lockStates(work, nos);
  const decided = await decideSince(work, locked, new Map(nos.map((no) => [no, sinceMs])));
  return [...decided.values()].map(({ monitor, state }) => {
    const intervals = {
      intervalSeconds: HEARTBEAT_SECONDS,
      failedIntervalSeconds: monitor.policy.failed_interval_seconds,
    };
    return intervalInForce(state, monitor.rules.regions, intervals, null).intervalSeconds;
  });
}

/** A later heartbeat may have been stored meanwhile. It decides its own results, and then records that all are decided. */
async function noteDecided(db: Database | Tx, agentNo: number, now: Date): Promise<void> {
  await sql`UPDATE agent_states SET undecided_from = NULL
    WHERE agent_no = ${agentNo} AND last_heartbeat_at = ${now}`.execute(db);
}
