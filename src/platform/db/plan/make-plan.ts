// `tocsin migrate --plan`: what the outstanding migrations would do to this database, without doing it.
import pg from 'pg';
import { connect, ledger, MIGRATIONS_DIR, pending, readMigrations } from '../migrate.ts';
import { withEmptyDatabase } from './empty-database.ts';
import { type Plan, planOf } from './estimate.ts';
import { rehearse } from './rehearse.ts';
import { readSizes } from './sizes.ts';

export type MadePlan = Plan & {
  /** The last migration that the database has; null: it is empty. */
  from: string | null;
};

/**
 * Tries the outstanding migrations out on an empty database beside this one, and reads nothing of this one but its ledger and
 * the sizes of its tables. Throws a sentence for the operator where that cannot be, or one of them fails already there.
 */
export async function makePlan(url: string, dir = MIGRATIONS_DIR): Promise<MadePlan> {
  const client = new pg.Client({ connectionString: url, application_name: 'tocsin migrate (plan)' });
  client.on('error', () => undefined);
  await connect(client);
  try {
    const migrations = await readMigrations(dir);
    const rows = await ledger(client);
    const outstanding = pending(migrations, rows);
    const from = rows.at(-1)?.name ?? null;
    // Nothing to do, or an empty database in which nobody waits.
    if (outstanding.length === 0 || from === null)
      return {
        from,
        ...planOf(
          outstanding.map(({ name }) => ({ name, tables: [] })),
          new Map(),
        ),
      };
    const applied = migrations.filter((migration) => !outstanding.includes(migration));
    const rehearsed = await withEmptyDatabase(client, (empty) => rehearse(empty, applied, outstanding));
    return { from, ...planOf(rehearsed, await readSizes(client)) };
  } finally {
    await client.end().catch(() => undefined);
  }
}
