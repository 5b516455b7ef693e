import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../work.ts';

export type JobRequest = {
  task: string;
  payload: Record<string, unknown>;
  /** One waiting job per key. */
  key: string;
  /** Absent: as soon as this transaction commits. */
  runAt?: Date;
  /**
   * The instant of the unit of work. The time from it until `runAt` is measured on the database's clock. Otherwise a job that
   * started too early by the server's clock would defer itself again and again while the two clocks differ.
   */
  from?: Date;
  /** Lower runs first; 0 by default. */
  priority?: number;
  /** `replace` (default) moves the waiting job to `runAt`; `preserve_run_at` leaves its time as it is. */
  mode?: 'replace' | 'preserve_run_at';
};

/** Stores a job in this unit of work: it exists exactly if the change that asks for it does. */
export async function addJob(
  tx: Tx,
  { task, payload, key, runAt, from, priority = 0, mode = 'replace' }: JobRequest,
): Promise<void> {
  await sql`SELECT graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json,
    run_at => ${dueTime(sql`${runAt ?? null}::timestamptz`, sql`${from ?? null}::timestamptz`)},
    job_key => ${key}, job_key_mode => ${mode}, priority => ${priority})`.execute(tx);
}

/** When a job is due by the database's clock. */
const dueTime = (runAt: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
  sql`CASE WHEN ${runAt} IS NULL THEN now() WHEN ${from} IS NULL THEN ${runAt}
    ELSE now() + greatest(${runAt} - ${from}, '0') END`;

/** Stores many jobs of one task, in one statement; without `runAt` they run as soon as this commits. */
export async function addJobs(
  tx: Tx,
  task: string,
  jobs: readonly SomeJob[],
  options: Pick<JobRequest, 'priority'> = {},
): Promise<void> {
  await addingJobs(task, jobs, options)?.execute(tx);
}

type SomeJob = Pick<JobRequest, 'payload' | 'key' | 'runAt' | 'from'>;

/** The statement of `addJobs`; null: there are none. */
export function addingJobs(
  task: string,
  jobs: readonly SomeJob[],
  { priority = 0 }: Pick<JobRequest, 'priority'> = {},
): RawBuilder<unknown> | null {
  if (jobs.length === 0) return null;
  const dueAt = dueTime(sql`(job ->> 'runAt')::timestamptz`, sql`(job ->> 'from')::timestamptz`);
  return sql`SELECT graphile_worker.add_job(${task}, job -> 'payload',
      run_at => ${dueAt}, job_key => job ->> 'key', priority => ${priority})
    FROM json_array_elements(${JSON.stringify(jobs)}::json) AS job`;
}

/** Removes a waiting job; does nothing if there is none or it already runs. */
export async function removeJob(tx: Tx, key: string): Promise<void> {
  await removeJobs(tx, [key]);
}

/** Removes many waiting jobs, in one statement. */
export async function removeJobs(tx: Tx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`SELECT count(graphile_worker.remove_job(key)) FROM unnest(${[...keys]}::text[]) AS key`.execute(
    tx,
  );
}
