// Whether the database has the schema of this version, while a server runs on it.
import { sql } from 'kysely';
import type { Database } from '../work.ts';
import { MIGRATIONS_DIR, readMigrations } from './migrate.ts';

const UNDEFINED_TABLE = '42P01';
let names: Promise<string[]> | null = null;

/**
 * The migrations of this version that the database does not have, in order, and how many this version has. Those of a newer
 * version are no trouble: while servers are replaced one by one, the old ones go on with the new schema.
 */
export async function missingMigrations(db: Database): Promise<{ known: number; missing: string[] }> {
  names ??= readMigrations(MIGRATIONS_DIR).then((all) => all.map(({ name }) => name));
  const known = await names;
  const applied = new Set(await appliedVersions(db));
  return { known: known.length, missing: known.filter((_, index) => !applied.has(index + 1)) };
}

async function appliedVersions(db: Database): Promise<number[]> {
  try {
    const { rows } = await sql<{ version: number }>`SELECT version FROM schema_migrations`.execute(db);
    return rows.map(({ version }) => version);
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}
