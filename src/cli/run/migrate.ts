// `tocsin migrate`: updates the schema without serving, or says what that would lock. Useful before a rolling upgrade.
import { loadConfig, readConfig } from '#src/config/config.ts';
import { backupBeforeMigration } from '#src/installation-backup/before-migration.ts';
import { startEmbedded } from '#src/platform/db/embedded.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { makePlan } from '#src/platform/db/plan/make-plan.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { migrateJobs } from '#src/platform/jobs/runner.ts';
import { createLog } from '#src/platform/log.ts';
import { readVersion } from '#src/platform/version.ts';
import { InvalidCommandLine } from '../invalid-command-line.ts';
import { withDatabase } from '../open-installation.ts';
import { planWords } from '../plan-words.ts';

/** Returns the exit code; prints what was applied, or the plan. */
export async function run({ plan, json }: { plan?: true; json?: true }): Promise<number> {
  if (plan) return printPlan(json === true);
  if (json) throw new InvalidCommandLine('--json needs --plan');
  const config = loadConfig();
  const log = createLog(config.logLevel);
  const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir, log });
  try {
    const url = config.databaseDirectUrl ?? config.databaseUrl ?? embedded?.url ?? '';
    const before = backupBeforeMigration(config, { url, log, version: await readVersion() });
    const applied = await migrate(url, log, { before });
    const database = openPool({ url, log, size: 1 });
    await migrateJobs(database.pool, log).finally(() => database.close());
    const words = applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`;
    process.stdout.write(`${words}\n`);
    return 0;
  } finally {
    await embedded?.stop();
  }
}

/** Works while a server runs: it reads the database's ledger and the sizes of its tables. */
async function printPlan(json: boolean): Promise<number> {
  return withDatabase(readConfig(), 'existing', async ({ url }) => {
    const plan = await makePlan(url);
    process.stdout.write(json ? `${JSON.stringify(plan, null, 2)}\n` : planWords(plan));
    return 0;
  });
}
