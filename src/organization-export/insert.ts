// Inserts many rows of a table at a time.
import { sql } from 'kysely';
import type { Tx } from '../platform/work.ts';

/** Columns of a table with their types, as PostgreSQL names them. */
export type Columns = Readonly<Record<string, string>>;

/** Inserts rows, given as objects with these columns. */
export async function insertRows(
  tx: Tx,
  table: string,
  columns: Columns,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  const typed = sql.join(
    Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`),
  );
  await sql`INSERT INTO ${sql.table(table)} (${names})
    SELECT ${names} FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given (${typed})`.execute(tx);
}
