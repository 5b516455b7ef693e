// The contents of the database: our tables in an order in which they can be loaded, and the sequences.
import type pg from 'pg';

export type Table = {
  name: string;
  columns: string[];
  /** Names of its partitions, oldest first; null where it is not partitioned. */
  partitions: string[] | null;
};

/** Every table of the schema, what is referred to first. Throws where tables refer to each other in a ring. */
export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { refers_to: string[] }>(`
    SELECT c.relname AS name,
      ARRAY(SELECT a.attname::text FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        ORDER BY a.attnum) AS columns,
      CASE WHEN c.relkind = 'p' THEN
        ARRAY(SELECT p.relname::text FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid
          WHERE i.inhparent = c.oid ORDER BY 1) END AS partitions,
      ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
        WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS refers_to
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'schema_migrations'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relname`);
  return inLoadingOrder(rows).map(({ name, columns, partitions }) => ({ name, columns, partitions }));
}

function inLoadingOrder<T extends { name: string; refers_to: string[] }>(tables: readonly T[]): T[] {
  const ordered: T[] = [];
  const placed = new Set<string>();
  let rest = [...tables];
  while (rest.length > 0) {
    const ready = rest.filter(({ refers_to }) => refers_to.every((name) => placed.has(name)));
    if (ready.length === 0)
      throw new Error(`tables refer to each other in a ring: ${rest.map(({ name }) => name).join(', ')}`);
    ordered.push(...ready);
    for (const { name } of ready) placed.add(name);
    rest = rest.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}

/** Sequences that have given a number, identity columns included. Read after a snapshot they are never behind it. */
export async function readSequences(client: pg.Client): Promise<{ name: string; last_value: number }[]> {
  const { rows } = await client.query<{ name: string; last_value: number }>(
    `SELECT sequencename AS name, last_value FROM pg_sequences
     WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
  );
  return rows;
}
