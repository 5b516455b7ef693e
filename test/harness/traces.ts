// Searches every table of the schema for rows that still name something: a deletion must leave no trace.
import { sql } from 'kysely';
import type { Database } from '#src/platform/work.ts';

export type Trace = { table: string; row: Record<string, unknown> };

/**
 * Rows of any table that contain one of these texts anywhere, in JSON too, or one of these numbers in a column named
 * `monitor_no`. Partitions are searched through their table.
 */
export async function findTraces(db: Database, texts: readonly string[], monitorNos: readonly number[]) {
  const tables = await sql<{ name: string; numbered: boolean }>`
    SELECT c.relname AS name, EXISTS (
      SELECT FROM information_schema.columns i
      WHERE i.table_schema = 'public' AND i.table_name = c.relname AND i.column_name = 'monitor_no') AS numbered
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`.execute(db);
  const traces: Trace[] = [];
  for (const { name, numbered } of tables.rows) {
    const ofNumber = numbered ? sql`monitor_no = ANY(${[...monitorNos]}::int[])` : sql`false`;
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      SELECT to_jsonb(t) AS row FROM ${sql.table(name)} t
      WHERE ${ofNumber} OR EXISTS (SELECT FROM unnest(${[...texts]}::text[]) AS text
        WHERE strpos(to_jsonb(t)::text, text) > 0)`.execute(db);
    traces.push(...rows.map(({ row }) => ({ table: name, row })));
  }
  return traces;
}
