// The sizes of the real tables, from PostgreSQL's catalogue. Nothing is counted.
import type pg from 'pg';

export type Size = {
  /** As the last ANALYZE or autovacuum estimated them. */
  rows: number;
  /** On disk, without indexes. */
  bytes: number;
  indexBytes: number;
};

/** By table; partitions are added up under their parent. */
export async function readSizes(client: pg.Client): Promise<Map<string, Size>> {
  const { rows } = await client.query<{ table: string } & Size>(`
    SELECT coalesce(p.relname, c.relname) AS table, sum(pg_table_size(c.oid))::float8 AS bytes,
      sum(pg_indexes_size(c.oid))::float8 AS "indexBytes",
      sum(CASE WHEN c.reltuples >= 0 THEN c.reltuples ELSE coalesce(s.n_live_tup, 0) END)::float8 AS rows
    FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
      LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'm')
    GROUP BY 1`);
  return new Map(rows.map(({ table, ...size }) => [table, size]));
}
