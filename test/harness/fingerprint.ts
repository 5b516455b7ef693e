// What the database holds, as one text per table: whether a refused request left anything behind.
import { sql } from 'kysely';
import type { Database } from '#src/platform/work.ts';

/** Written by jobs, liveness and sign-in of their own accord. */
const VOLATILE = new Set([
  'probes',
  'rollup_state',
  'deliveries',
  'delivery_queue',
  'sessions',
  'verifications',
  'sign_in_failures',
  'known_addresses',
]);

/** Columns of the same sort. */
const LIVING = [
  'last_used_at',
  'last_delivery_at',
  'last_delivery_ok',
  'last_error',
  'failing_since',
  'recent_failures',
  'warned_at',
];

let tables: string[] | null = null;

/** A hash of every row of every table of ours, but for what changes by itself. */
export async function fingerprint(db: Database): Promise<Record<string, string>> {
  tables ??= await tablesOf(db);
  const each = tables.map(
    (table) =>
      sql`SELECT ${table}::text AS name,
        (SELECT md5(coalesce(string_agg(md5((to_jsonb(t) - ${LIVING}::text[])::text), '' ORDER BY md5((to_jsonb(t) - ${LIVING}::text[])::text)), '')) FROM ${sql.table(table)} t) AS hash`,
  );
  const { rows } = await sql<{ name: string; hash: string }>`${sql.join(each, sql` UNION ALL `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

async function tablesOf(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`.execute(
    db,
  );
  return rows.map(({ name }) => name).filter((name) => !VOLATILE.has(name));
}
