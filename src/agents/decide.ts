// Decides what the monitors of an agent found, after it was stored: for those that fail, or have not recovered yet. Results
// of steady monitors that pass need no decision.
import { sql } from 'kysely';
import { decideSince } from '../checks/decide.ts';
import { lockStates } from '../checks/monitored.ts';
import { HEARTBEAT_SECONDS } from '../domain/agent.ts';
import { intervalInForce } from '../domain/check-interval.ts';
import type { AgentCaller } from '../platform/http/caller.ts';
import { type Database, runWork, SYSTEM } from '../platform/work.ts';
import type { StoredPost } from './heartbeat-statement.ts';

/** While one of its monitors fails, an agent is asked for heartbeats as often as the policy checks then, but no more often. */
const MIN_SECONDS = 10;

/** Decides, and returns when the next heartbeat is wanted, in seconds. */
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
    // A later heartbeat may have been stored meanwhile: it decides its own results, and says then that all is decided.
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
