// The content of the database as one text per table, which shows whether a refused request left anything behind.
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Database } from '#src/platform/work.ts';

/** Written by jobs, liveness and sign-in of their own accord. */
const VOLATILE = new Set([
  'probes',
  'rollup_state',
  'packing_state',
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

/** Detects whether requests left anything behind. */
export type Witness = {
  /** Remembers the content of the database. Cheap if nothing was written since the last look. */
  look: () => Promise<void>;
  /** Asserts that the content is unchanged since the last look, apart from columns that change by themselves. */
  assertUnchanged: (message: string) => Promise<void>;
};

/** Hashes every row only if the transactions that wrote the rows differ from those of the last look. */
export function makeWitness(db: Database): Witness {
  let writers: Record<string, string> | null = null;
  let held: Record<string, string> = {};
  const sameWriters = async () => {
    const before = JSON.stringify(writers);
    writers = await latestWriters(db);
    return JSON.stringify(writers) === before;
  };
  return {
    async look() {
      if (!(await sameWriters())) held = await fingerprint(db);
    },
    async assertUnchanged(message) {
      if (!(await sameWriters())) assert.deepEqual(await fingerprint(db), held, message);
    },
  };
}

/** For every table of ours, the number of rows and the latest transaction that wrote one. */
async function latestWriters(db: Database): Promise<Record<string, string>> {
  tables ??= await tablesOf(db);
  const each = tables.map(
    (table) =>
      sql`SELECT ${table}::text AS name, count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) AS writer FROM ${sql.table(table)}`,
  );
  const { rows } = await sql<{ name: string; writer: string }>`${sql.join(each, sql` UNION ALL `)}`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ name, writer }) => [name, writer]));
}

/** A hash of every row of every table of ours, apart from columns that change by themselves. */
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
