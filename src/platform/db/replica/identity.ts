// Identifies a server's database, and whether it is a replica, with one small statement on each side.
import { sql } from 'kysely';
import type { Database } from '#src/platform/work.ts';

export type PrimarySeen = { cluster: string; database: number; lsn: number; timeline: string };
export type ReplicaSeen = {
  cluster: string;
  database: number;
  /** The start time of its PostgreSQL, in seconds: another server, or another run of it, has a different one. */
  started: number;
  /** It is read-only: it follows a primary. */
  standby: boolean;
  /** How far it has replayed the log, in bytes; null: it follows no primary yet. */
  lsn: number | null;
};

/** As text, so that it works on a connection of `pg` as well as in the query builder. */
const IDENTITY = `(SELECT system_identifier::text FROM pg_control_system()) AS cluster,
  (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database`;
export const REPLICA_SEEN = `SELECT ${IDENTITY}, pg_is_in_recovery() AS standby,
  extract(epoch FROM pg_postmaster_start_time())::float8 AS started,
  (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint AS lsn`;
/**
 * The insert position of the log, not the write position: commits that do not wait for the disk are visible before they are
 * written. If a record ends with its page, this is behind the header of the next page (24 bytes, 40 in the first page of a
 * file), and the replay position ends before it.
 */
const PRIMARY_SEEN = `SELECT ${IDENTITY},
  inserted - CASE WHEN inserted % 8192 IN (24, 40) THEN inserted % 8192 ELSE 0 END AS lsn, timeline
  FROM (SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint AS inserted,
    left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline) AS log`;

/** Throws if the server follows another one: it is no primary. */
export async function seePrimary(db: Database): Promise<PrimarySeen> {
  const { rows } = await sql.raw<PrimarySeen>(PRIMARY_SEEN).execute(db);
  const [seen] = rows;
  if (!seen) throw new Error('the primary said nothing about itself');
  return seen;
}

export async function seeReplica(db: Database): Promise<ReplicaSeen> {
  const { rows } = await sql.raw<ReplicaSeen>(REPLICA_SEEN).execute(db);
  const [seen] = rows;
  if (!seen) throw new Error('the replica said nothing about itself');
  return seen;
}

export type ReplicaProblem = 'other_database' | 'not_a_replica';

/** Why a server may not be read instead of the primary; null if it may. */
export function replicaProblem(
  replica: Pick<ReplicaSeen, 'cluster' | 'database' | 'standby'>,
  primary: Pick<PrimarySeen, 'cluster' | 'database'> | null,
): ReplicaProblem | null {
  if (primary && (primary.cluster !== replica.cluster || primary.database !== replica.database))
    return 'other_database';
  return replica.standby ? null : 'not_a_replica';
}

/** The problem, and how to solve it. */
export const REPLICA_PROBLEM_SENTENCES: Record<ReplicaProblem, string> = {
  other_database:
    'DATABASE_READ_URL points to a different database than DATABASE_URL. Point it to a streaming replica of that database, or remove it; nothing was changed.',
  not_a_replica:
    'DATABASE_READ_URL points to a server that accepts writes, not to a replica. Reads go to DATABASE_URL until it points to a replica.',
};
