// The doctor's check of the replica that DATABASE_READ_URL leads to.
import { sql } from 'kysely';
import { openPool } from '../platform/db/pool.ts';
import { replicaProblem, seePrimary, seeReplica } from '../platform/db/replica/identity.ts';
import { createLog } from '../platform/log.ts';
import type { Database } from '../platform/work.ts';
import { type Finding, finding } from './finding.ts';

export type ReplicaSettings = { databaseReadUrl: string | null; databaseReadMaxLagSeconds: number };

const LIMITS = { statementMs: 4_000, connectMs: 4_000 };
const PART_SECONDS = 0.1;
/** Nobody waits longer for an examination, however far behind the replica may be. */
const MAX_SECONDS = 5;

/** Whether it is one of this database, and replays within the bound what the primary has now; nothing where there is none. */
export async function checkReplica(db: Database, settings: ReplicaSettings): Promise<Finding[]> {
  const { databaseReadUrl: url, databaseReadMaxLagSeconds: bound } = settings;
  if (url === null) return [];
  const log = createLog('silent');
  const { db: replica, close } = openPool({ url, log, size: 1, name: 'tocsin command', limits: LIMITS });
  try {
    const there = await seePrimary(db);
    const problem = replicaProblem(await seeReplica(replica), there);
    if (problem !== null) return [finding('fail', 'database', `replica_${problem}`)];
    const seconds = Math.min(bound, MAX_SECONDS);
    for (let waited = 0; waited < seconds; waited += PART_SECONDS) {
      const { lsn } = await seeReplica(replica);
      if (lsn !== null && lsn >= there.lsn)
        return [finding('ok', 'database', 'replica_near', { seconds: waited.toFixed(1) })];
      await sql`SELECT pg_sleep(${PART_SECONDS})`.execute(replica);
    }
    return [finding('warn', 'database', 'replica_behind', { seconds })];
  } catch (error) {
    return [finding('warn', 'database', 'replica_away', { reason: (error as Error).message })];
  } finally {
    await close();
  }
}
