// One instant of the database, read in many short transactions. A single long one would hold locks on every table it
// has read, and everything else would queue behind the hourly making and dropping of partitions.
import pg from 'pg';
import { connect, LOCK } from './migrate.ts';
import { columnTypes } from './pool.ts';

export type Snapshot = {
  /** Runs `act` in a read-only transaction of its own that sees the same instant as all others. One at a time. */
  read<T>(act: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Ends it; what is being read fails. */
  close(): Promise<void>;
};

/** Times as UTC in ISO form, whatever the role or the machine is set to; no time limits. */
export const PLAIN_SESSION =
  "SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres'; SET client_encoding = 'UTF8'; " +
  "SET bytea_output = 'hex'; SET extra_float_digits = 1; " +
  'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0';

/** Opens a snapshot on two connections. While it is open, migrations wait. */
export async function openSnapshot(url: string, name: string): Promise<Snapshot> {
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
    await holder.query('SELECT pg_advisory_lock_shared($1)', [LOCK]);
    await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await holder.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
    const id = pg.escapeLiteral(rows[0]?.id ?? '');
    return {
      async read(act) {
        await reader.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT ${id}`);
        try {
          const result = await act(reader);
          // Nothing was written: ending it either way is the same.
          await reader.query('ROLLBACK');
          return result;
        } catch (error) {
          // A stream that was broken off leaves its connection in the middle of an answer.
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
