// The job queue (graphile-worker) of this process: stored jobs, run at least once, woken by NOTIFY.
import { Logger, parseCronItems, type Runner, run, runMigrations, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import { Counter } from 'prom-client';
import { DAY_MS } from '#src/domain/durations.ts';
import { isPassing } from '../db/away.ts';
import type { Log } from '../log.ts';
import { registry } from '../metrics.ts';
import { beginSetAside, noteJobSetAside } from '../set-aside.ts';
import { tryGivenUpAgain } from './given-up-jobs.ts';

export type Jobs = {
  /** Finishes the running jobs and claims no new ones. */
  stop: () => Promise<void>;
  /** False while the queue cannot reach the database. */
  healthy: () => boolean;
};

export type JobsOptions = {
  pool: pg.Pool;
  log: Log;
  tasks: Record<string, (payload: never) => Promise<void>>;
  /** Recurring tasks: name → cron pattern in UTC. A start makes up for what was missed in the last day, but for what runs every minute. */
  recurring: Record<string, string>;
  /** Whether to poll for due jobs; without it only jobs run that are due when they are added, and nothing recurs. */
  polls: boolean;
  /** The pause before it is started again. */
  restartMs?: number;
};

const total = new Counter({
  name: 'tocsin_jobs_total',
  help: 'Runs of stored jobs, by task and what came of them; failed ones are tried again',
  labelNames: ['task', 'outcome'],
  registers: [registry],
});

/** The queue polls for due jobs this often; NOTIFY wakes it at once for a job added for now. */
const POLL_MS = 500;
/** The longest delay that a timer takes. */
const NEVER_MS = 2 ** 31 - 1;
const CONCURRENT = 10;
/** How long a job that this process has claimed waits for a worker before another process may have it. */
const HELD_MS = 1_000;
const RESTART_MS = 1_000;
const EVERY_MINUTE = '* * * * *';

/** Migrates the queue's own tables to the version of the library. */
export async function migrateJobs(pool: pg.Pool, log: Log): Promise<void> {
  await runMigrations({ pgPool: pool, logger: loggerOf(log) });
}

/**
 * Starts working on jobs, also on those that were given up; if the queue ends because the database went away, it is started again.
 */
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { pool, log, tasks, recurring, polls, restartMs = RESTART_MS } = options;
  const names = Object.keys(tasks);
  // Prometheus sees no increase in a series that appears with 1.
  for (const task of names) for (const outcome of ['done', 'failed']) total.inc({ task, outcome }, 0);
  beginSetAside(names);
  let stopped = false;
  let healthy = false;
  let runner: Runner | null = null;
  let restart: NodeJS.Timeout | null = null;
  let beginning = Promise.resolve();
  const cron = parseCronItems(
    Object.entries(polls ? recurring : {}).map(([task, match]) => ({
      task,
      match,
      // A machine that is off at night would never run what is due then.
      options: { backfillPeriod: match === EVERY_MINUTE ? 0 : DAY_MS },
    })),
  );

  async function begin(): Promise<void> {
    const begun = await run({
      pgPool: pool,
      taskList: noted(tasks, log),
      parsedCronItems: cron,
      concurrency: CONCURRENT,
      pollInterval: polls ? POLL_MS : NEVER_MS,
      // One of them asks for all: otherwise each polls by itself, over a connection of its own.
      preset: { worker: { localQueue: { size: CONCURRENT, ttl: HELD_MS } } },
      noHandleSignals: true,
      logger: loggerOf(log),
    });
    runner = begun;
    healthy = true;
    void begun.promise
      .catch((err: unknown) => log.warn({ err }, 'the job queue stopped'))
      .then(() => {
        healthy = false;
        if (!stopped) again();
      });
  }

  function again(): void {
    restart = setTimeout(() => {
      beginning = begin().catch((err: unknown) => {
        log.warn({ err }, 'the job queue cannot start; trying again');
        if (!stopped) again();
      });
    }, restartMs);
  }

  await begin();
  await tryGivenUpAgain(pool, log);
  return {
    healthy: () => healthy,
    async stop() {
      stopped = true;
      if (restart) clearTimeout(restart);
      // One that begins now would work on while the database is being closed.
      await beginning;
      await runner?.stop().catch(() => {});
    },
  };
}

/** Records a failure that is the task's own and not a passing outage; the library retries after growing pauses. */
function noted(tasks: JobsOptions['tasks'], log: Log): TaskList {
  const entries = Object.entries(tasks).map(([name, task]) => {
    const run = async (payload: unknown) => {
      try {
        await task(payload as never);
        total.inc({ task: name, outcome: 'done' });
      } catch (err) {
        total.inc({ task: name, outcome: 'failed' });
        if (!isPassing(err)) noteJobSetAside(log, name, { job: payload }, err);
        throw err;
      }
    };
    return [name, run];
  });
  return Object.fromEntries(entries);
}

/** The library logs a lot: its info is our debug. */
function loggerOf(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const text = message.replace(/\s+/g, ' ');
    // Without the stack: while the database is away every worker logs the same.
    if (level === 'error') log.warn({ from: 'jobs', ...scope, reason: String(meta?.error ?? '') }, text);
    else log.debug({ from: 'jobs', ...scope }, text);
  });
}
