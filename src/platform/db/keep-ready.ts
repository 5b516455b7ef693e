// An alarm is rare, and must be fast. A connection that has not run the statements of an alarm parses and plans each of them
// first, which takes longer than running them; and connections come and go. So an idle connection prepares and plans them ahead
// of time.
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { startPolling } from '../polling.ts';
import type { PreparingClient } from './preparing-client.ts';
import type { DB } from './tables.ts';
import { beginIn, sourceOf } from './transaction.ts';

const EVERY_MS = 5_000;

/** Keeps statements of `keepReady` transactions planned on idle connections. Returns a function that stops it. */
export function keepReady(db: Kysely<DB>, log: Log): () => void {
  const makeReady = makeKeeper(db);
  return startPolling(
    () =>
      void makeReady().catch((err: unknown) => log.debug({ err }, 'cannot prepare statements ahead of time')),
    EVERY_MS,
  );
}

type Client = pg.PoolClient & Pick<PreparingClient, 'notReady' | 'notePrepared'>;

/**
 * Makes a function that prepares and plans what is missing on one connection: the first idle one, in the order of their use,
 * that lacks something. It returns how many statements were missing, and how many of them could not be prepared.
 */
export function makeKeeper(db: Kysely<DB>): () => Promise<{ missing: number; refused: number }> {
  const { pool, settings } = sourceOf(db);
  const known = new Set<Client>();
  pool.on('acquire', (client) => known.add(client as Client));
  pool.on('remove', (client) => known.delete(client as Client));
  return async () => {
    // Looked at first without being taken: whoever takes a connection postpones the end of its idle time.
    const isMissing = [...known].some((client) => client.notReady().size > 0);
    const client = isMissing ? await takeUnready(pool) : null;
    if (client === null) return { missing: 0, refused: 0 };
    let broken: Error | undefined;
    try {
      const missing = client.notReady();
      let refused = 0;
      for (const [name, text] of missing) {
        const prepared = await prepare(client, name, text, beginIn({ keepPlans: true }, settings));
        client.notePrepared(name, text, prepared);
        if (!prepared) refused += 1;
      }
      return { missing: missing.size, refused };
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  };
}

/** Takes the idle connection; null: none lacks anything. No connection is opened for it. */
async function takeUnready(pool: pg.Pool): Promise<Client | null> {
  const ready: Client[] = [];
  try {
    while (pool.idleCount > 0) {
      const client = (await pool.connect()) as Client;
      if (client.notReady().size > 0) return client;
      ready.push(client);
    }
    return null;
  } finally {
    // In reverse: the connection that would have been used next still is.
    for (const client of ready.reverse()) client.release();
  }
}

/** Prepares one statement, and plans it under the settings that it runs under; explaining plans, and does not run. */
async function prepare(client: pg.PoolClient, name: string, text: string, begin: string): Promise<boolean> {
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, no]) => Number(no)));
  const nulls = Array.from({ length: parameters }, () => 'NULL').join(', ');
  try {
    await client.query(begin);
    await client.query(`PREPARE ${name} AS ${text}`);
    await client.query(`EXPLAIN EXECUTE ${name}${parameters > 0 ? `(${nulls})` : ''}`);
    await client.query('commit');
    return true;
  } catch {
    await client.query('rollback');
    await client.query(`DEALLOCATE ${name}`).catch(() => undefined);
    return false;
  }
}
