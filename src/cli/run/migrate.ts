// `tocsin migrate`: updates the schema without serving. Useful before a rolling upgrade on your own database.
import { loadConfig } from '#src/config/config.ts';
import { startEmbedded } from '#src/platform/db/embedded.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { migrateJobs } from '#src/platform/jobs/runner.ts';
import { createLog } from '#src/platform/log.ts';

/** Returns the exit code; prints what was applied. */
export async function run(): Promise<number> {
  const config = loadConfig();
  const log = createLog(config.logLevel);
  const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir, log });
  try {
    const url = config.databaseUrl ?? embedded?.url ?? '';
    const applied = await migrate(url, log);
    const database = openPool({ url, log, size: 1 });
    await migrateJobs(database.pool, log).finally(() => database.close());
    const words = applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`;
    process.stdout.write(`${words}\n`);
    return 0;
  } finally {
    await embedded?.stop();
  }
}
