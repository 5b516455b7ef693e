// The doctor's checks of the database: migrations, its clock, the logs in it.
import { sql } from 'kysely';
import { verifyActivity } from '../activity/verify.ts';
import { readSchemaSeen } from '../platform/db/schema.ts';
import type { Database } from '../platform/work.ts';
import { type Finding, finding } from './finding.ts';

const WARN_MS = 2_000;
const FAIL_MS = 30_000;

export async function checkVersion(db: Database): Promise<Finding> {
  const { rows } = await sql<{
    version: string;
  }>`SELECT current_setting('server_version') AS version`.execute(db);
  return finding('ok', 'database', 'database_answers', { version: rows[0]?.version ?? '' });
}

/** Whether every migration of this version was applied. */
export async function checkMigrations(db: Database): Promise<Finding> {
  const { known, missing } = await readSchemaSeen(db);
  const [first] = missing;
  return first === undefined
    ? finding('ok', 'migrations', 'migrations_applied', { count: known })
    : finding('fail', 'migrations', 'migrations_missing', { count: missing.length, first });
}

/** Leases and sessions are judged by clocks: several servers and the database must agree. */
export async function checkClock(db: Database): Promise<Finding> {
  const before = Date.now();
  const { rows } = await sql<{
    ms: number;
  }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`.execute(db);
  // The database read its clock somewhere between question and answer.
  const off = Math.abs(Math.round((rows[0]?.ms ?? 0) - (before + Date.now()) / 2));
  const seconds = (off / 1000).toFixed(1);
  if (off <= WARN_MS) return finding('ok', 'clock', 'clock_near', { seconds });
  return finding(off > FAIL_MS ? 'fail' : 'warn', 'clock', 'clock_off', { seconds });
}

/** Walks the chain of every organization's activity log; each break is a finding. */
export async function checkActivity(db: Database, signal: AbortSignal): Promise<Finding[]> {
  const findings: Finding[] = [];
  let [organizations, entries] = [0, 0];
  for await (const verified of verifyActivity(db, signal)) {
    organizations += 1;
    entries += verified.entries;
    for (const { kind, said } of verified.breaks)
      findings.push(
        finding('fail', 'activity', 'activity_broken', {
          log: `${verified.slug} (${verified.org_id})`,
          reason: `${kind}: ${said}`,
        }),
      );
  }
  if (findings.length > 0) return findings;
  return [finding('ok', 'activity', 'activity_whole', { organizations, entries })];
}
