// An alarm is rare, and must be fast. A connection that has not run the statements of an alarm parses and plans each of them
// first, which takes longer than running them; and connections come and go. So the connection that would be used next
// prepares and plans them ahead of time. Only that one: whoever takes an idle connection postpones its end, and each costs memory.
// A process knows the statements once it has run them: its first alarm still plans.
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { startPolling } from '../polling.ts';
import type { PreparingClient } from './preparing-client.ts';
import type { DB } from './tables.ts';
import { beginIn, sourceOf } from './transaction.ts';

const EVERY_MS = 5_000;
/** As the transactions begin that run these statements: plans are made under these settings. */
const BEGIN = beginIn({ keepPlans: true }, []).join('; ');

/** Keeps statements of `keepReady` transactions planned on the connection that is used next. Returns a function that stops it. */
export function keepReady(db: Kysely<DB>, log: Log): () => void {
  return startPolling(
    () =>
      void makeReady(db).catch((err: unknown) =>
        log.debug({ err }, 'cannot prepare statements ahead of time'),
      ),
    EVERY_MS,
  );
}

type Client = pg.PoolClient & Pick<PreparingClient, 'notReady' | 'notePrepared'>;

/**
 * Prepares and plans what is missing on the connection that is used next, if one is idle. Returns how many statements were
 * missing, and how many of them could not be prepared.
 */
export async function makeReady(db: Kysely<DB>): Promise<{ missing: number; refused: number }> {
  const { pool } = sourceOf(db);
  // Nothing waits for this work, and no connection is opened for it.
  if (pool.idleCount === 0) return { missing: 0, refused: 0 };
  const client = (await pool.connect()) as Client;
  let broken: Error | undefined;
  try {
    const missing = client.notReady();
    let refused = 0;
    for (const [name, text] of missing) {
      const prepared = await prepare(client, name, text);
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
}

/** Prepares one statement, and plans it under the settings that it runs under; explaining plans, and does not run. */
async function prepare(client: pg.PoolClient, name: string, text: string): Promise<boolean> {
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, no]) => Number(no)));
  const nulls = Array.from({ length: parameters }, () => 'NULL').join(', ');
  try {
    await client.query(BEGIN);
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
