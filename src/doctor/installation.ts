// The doctor's checks of the database.
import { sql } from 'kysely';
import { verifyActivity } from '../activity/verify.ts';
import type { Database } from '../platform/work.ts';
import type { Finding } from './finding.ts';

const WARN_MS = 2_000;
const FAIL_MS = 30_000;

/** Leases and sessions are judged by clocks: several servers and the database must agree. */
export async function lookAtClock(db: Database): Promise<Finding> {
  const before = Date.now();
  const { rows } = await sql<{
    ms: number;
  }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`.execute(db);
  // The database read its clock somewhere between question and answer.
  const off = Math.round((rows[0]?.ms ?? 0) - (before + Date.now()) / 2);
  const said = `this machine and the database differ by ${(Math.abs(off) / 1000).toFixed(1)} s`;
  if (Math.abs(off) <= WARN_MS) return { state: 'ok', subject: 'clock', said };
  const todo =
    'Set both by NTP (timedatectl set-ntp true); sessions, leases and times of checks depend on it.';
  return { state: Math.abs(off) > FAIL_MS ? 'fail' : 'warn', subject: 'clock', said, todo };
}

/** Walks the chain of every organization's activity log; each break is a finding. */
export async function lookAtActivity(db: Database, signal: AbortSignal): Promise<Finding[]> {
  const findings: Finding[] = [];
  let [organizations, entries] = [0, 0];
  for await (const verified of verifyActivity(db, signal)) {
    organizations += 1;
    entries += verified.entries;
    for (const { kind, said } of verified.breaks)
      findings.push({
        state: 'fail',
        subject: 'activity',
        said: `${verified.slug} (${verified.org_id}): ${kind}: ${said}`,
        todo: 'Somebody wrote to the database by hand, or it is damaged: compare with a backup, and see who can reach it.',
      });
  }
  if (findings.length > 0) return findings;
  const said = `the logs of ${organizations} organizations are whole (${entries} entries)`;
  return [{ state: 'ok', subject: 'activity', said }];
}
