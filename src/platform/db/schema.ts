// Whether the database has the schema of this version, while a server runs on it.
import { sql } from 'kysely';
import type { Database } from '../work.ts';
import { MIGRATIONS_DIR, readMigrations } from './migrate.ts';

const UNDEFINED_TABLE = '42P01';
let names: Promise<string[]> | null = null;

export type SchemaSeen = {
  /** The number of migrations of this version. */
  known: number;
  /** The migrations that the database does not have, in order. */
  missing: string[];
  /** A migration of a newer version that removed something this version still reads; null: there is none. */
  contracted: string | null;
};

/**
 * Compares the schema of the database with this version. Migrations of a newer version are harmless as long as they remove
 * nothing: while servers are replaced one by one, the old ones go on with the new schema.
 */
export async function readSchemaSeen(db: Database): Promise<SchemaSeen> {
  names ??= readMigrations(MIGRATIONS_DIR).then((all) => all.map(({ name }) => name));
  const known = await names;
  const rows = await appliedRows(db);
  const applied = new Set(rows.map(({ version }) => version));
  return {
    known: known.length,
    missing: known.filter((_, index) => !applied.has(index + 1)),
    contracted: rows.find(({ needs }) => needs !== null && needs > known.length)?.name ?? null,
  };
}

type Row = { version: number; name: string; needs: number | null };

async function appliedRows(db: Database): Promise<Row[]> {
  try {
    // As JSON, because the ledger of an older version has no such column.
    const { rows } = await sql<Row>`SELECT version, name, (to_jsonb(m) ->> 'needs')::int AS needs
      FROM schema_migrations m ORDER BY version`.execute(db);
    return rows;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}
