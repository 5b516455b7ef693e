// Processes the results that an agent's heartbeat gave its monitors, after they are stored: only for monitors that fail or have
// not recovered yet. A steady monitor that passes needs no decision.
import { sql } from 'kysely';
import { decideSince } from '../checks/decide.ts';
import { lockStates } from '../checks/monitored.ts';
import { HEARTBEAT_SECONDS } from '../domain/agent.ts';
import { intervalInForce } from '../domain/check-interval.ts';
import type { AgentCaller } from '../platform/http/caller.ts';
import { type Database, runWork, SYSTEM } from '../platform/work.ts';
import type { StoredPost } from './heartbeat-statement.ts';

/** While one of its monitors fails, the agent sends heartbeats as often as the policy asks for checks, but no more often. */
const MIN_SECONDS = 10;

/** Decides, and returns the seconds until the agent must send the next heartbeat. */
export async function decideAgent(
  db: Database,
  { agentNo }: Pick<AgentCaller, 'agentNo'>,
  { undecided, undecided_from_ms: sinceMs }: Pick<StoredPost, 'undecided' | 'undecided_from_ms'>,
  now: Date,
): Promise<number> {
  if (undecided.length === 0 || sinceMs === null) return HEARTBEAT_SECONDS;
  return runWork(db, now, SYSTEM, async (work) => {
    const locked = await lockStates(work, undecided);
    const decided = await decideSince(work, locked, new Map(undecided.map((no) => [no, sinceMs])));
    // A later heartbeat may have been stored meanwhile. It decides its own results, and then records that all are decided.
    await sql`UPDATE agent_states SET undecided_from = NULL
      WHERE agent_no = ${agentNo} AND last_heartbeat_at = ${now}`.execute(work.tx);
    const checkIntervals = [...decided.values()].map(({ monitor, state }) => {
      const intervals = {
        intervalSeconds: HEARTBEAT_SECONDS,
        failedIntervalSeconds: monitor.policy.failed_interval_seconds,
      };
      return intervalInForce(state, monitor.rules.regions, intervals, null).intervalSeconds;
    });
    return Math.max(MIN_SECONDS, Math.min(HEARTBEAT_SECONDS, ...checkIntervals));
  });
}
