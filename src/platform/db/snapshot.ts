// Reads one instant of the database in many short transactions. A single long one would hold locks on every table it
// has read; the hourly partition upkeep would wait for it, and everything else would queue behind that.
import pg from 'pg';
import { connect, LOCK } from './migrate.ts';
import { columnTypes } from './pool.ts';

export type Snapshot = {
  /** Runs `act` in its own read-only transaction, which sees the same instant as all others. One at a time. */
  read<T>(act: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Ends the snapshot; a read in progress fails. */
  close(): Promise<void>;
};

/** Times in UTC as ISO 8601, whatever the role or machine is set to; no time limits. */
export const PLAIN_SESSION =
  "SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres'; SET client_encoding = 'UTF8'; " +
  "SET bytea_output = 'hex'; SET extra_float_digits = 1; " +
  'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0';

/** Opens a snapshot on two connections. While it is open, migrations wait, unless it is theirs (`isOfMigration`). */
export async function openSnapshot(url: string, name: string, isOfMigration = false): Promise<Snapshot> {
  const clients = [0, 1].map(
    () => new pg.Client({ connectionString: url, application_name: name, types: columnTypes }),
  );
  const [holder, reader] = clients as [pg.Client, pg.Client];
  const close = async () => {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  };
  try {
    for (const client of clients) {
      client.on('error', () => undefined);
      await connect(client);
      await client.query(PLAIN_SESSION);
    }
    if (!isOfMigration) await holder.query('SELECT pg_advisory_lock_shared($1)', [LOCK]);
    await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await holder.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
    const id = pg.escapeLiteral(rows[0]?.id ?? '');
    return {
      async read(act) {
        await reader.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT ${id}`);
        try {
          const result = await act(reader);
          // Nothing was written, so commit and rollback are the same.
          await reader.query('ROLLBACK');
          return result;
        } catch (error) {
          // An interrupted stream leaves its connection in the middle of an answer.
          await close();
          throw error;
        }
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
