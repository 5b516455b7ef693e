// `tocsin migrate --plan`: the effects of the outstanding migrations on this database, without applying them.
import pg from 'pg';
import { connect, ledger, MIGRATIONS_DIR, pending, readMigrations } from '../migrate.ts';
import { dryRun } from './dry-run.ts';
import { withEmptyDatabase } from './empty-database.ts';
import { type Plan, planOf } from './estimate.ts';
import { readSizes } from './sizes.ts';

export type MadePlan = Plan & {
  /** The last migration in the database; null: it is empty. */
  from: string | null;
};

/**
 * Tries the outstanding migrations on an empty database beside this one; of this one it reads only the ledger and the sizes of
 * its tables. Throws a sentence for the operator if that is impossible, or if one of them fails there.
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
    // There is nothing to do, or the database is empty and nobody waits for it.
    if (outstanding.length === 0 || from === null)
      return {
        from,
        ...planOf(
          outstanding.map(({ name }) => ({ name, tables: [] })),
          new Map(),
        ),
      };
    const applied = migrations.filter((migration) => !outstanding.includes(migration));
    const findings = await withEmptyDatabase(client, (empty) => dryRun(empty, applied, outstanding));
    return { from, ...planOf(findings, await readSizes(client)) };
  } finally {
    await client.end().catch(() => undefined);
  }
}
