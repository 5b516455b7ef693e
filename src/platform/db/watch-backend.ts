// Checks over a second connection whether PostgreSQL works on a slow statement of the first.
import pg from 'pg';
import type { Log } from '../log.ts';

const POLL_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 10_000;
/** How often a slow statement is logged. */
const LOG_EVERY_MS = 60_000;

type Options = {
  log: Log;
  /** Called at each look that finds PostgreSQL at work: computing, reading, writing, or waiting for a lock. */
  atWork: () => void;
  everyMs?: number | undefined;
};

/**
 * Looks every 5 s until the returned function is called. A database that hangs does not answer, so `atWork` is not called. Logs
 * once a minute what the statement waits for.
 */
export function watchBackend(client: pg.Client, url: string, options: Options): () => void {
  const { log, atWork, everyMs = POLL_EVERY_MS } = options;
  const pid = (client as unknown as { processID: number }).processID;
  const began = performance.now();
  let lastLogMs = began;
  let polling = false;
  let stopped = false;

  async function poll(): Promise<void> {
    const seen = await stateOf(url, pid);
    if (stopped || seen?.state !== 'active') return;
    atWork();
    if (performance.now() - lastLogMs < LOG_EVERY_MS) return;
    lastLogMs = performance.now();
    log.info(
      {
        took_ms: Math.round(lastLogMs - began),
        waits_for: seen.blockers.length > 0 ? seen.blockers : undefined,
      },
      seen.blockers.length > 0
        ? 'migrating the schema; waiting for other connections to the database to end'
        : 'migrating the schema; PostgreSQL is still working',
    );
  }

  const timer = setInterval(() => {
    if (polling) return;
    polling = true;
    void poll()
      .catch((err: unknown) => log.debug({ err }, 'could not look at the migration'))
      .finally(() => {
        polling = false;
      });
  }, everyMs);
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}

type Seen = { state: string | null; blockers: number[] };

async function stateOf(url: string, pid: number): Promise<Seen | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tocsin migrate (watch)',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Seen>(
      'SELECT state, pg_blocking_pids(pid) AS blockers FROM pg_stat_activity WHERE pid = $1',
      [pid],
    );
    return rows[0];
  } finally {
    // Not awaited: a connection that hangs never closes in order.
    void client.end().catch(() => undefined);
  }
}
