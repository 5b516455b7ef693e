// The metrics that Prometheus scrapes: counters of this process, and gauges of the installation, read at each scrape. No label names a tenant.
import { Gauge } from 'prom-client';
import type { DiskGuard } from '#src/platform/db/disk-guard.ts';
import type { DatabasePool } from '#src/platform/db/pool.ts';
import type { Replica } from '#src/platform/db/replica/replica.ts';
import { registry, withProcessMetrics } from '#src/platform/metrics.ts';
import { clearDatabase, readDatabase, readPool } from './database.ts';
import { clearInstallation, readInstallation } from './installation.ts';
import { clearQueues, readQueues } from './queues.ts';
import { clearRegions, readRegions } from './regions.ts';
import { readReplica } from './replica.ts';

const build = new Gauge({
  name: 'tocsin_build_info',
  help: 'Always 1; the label has the version',
  labelNames: ['version'],
  registers: [registry],
});
const up = new Gauge({
  name: 'tocsin_database_up',
  help: '1 while the database answers this process; the gauges of the installation are absent while it does not',
  registers: [registry],
});
const diskFree = new Gauge({
  name: 'tocsin_disk_free_bytes',
  help: 'Free space on the disk of the embedded database; absent where the database is on another machine',
  registers: [registry],
});
const resultsPaused = new Gauge({
  name: 'tocsin_results_paused',
  help: '1 while check results are refused because the database disk is full, or nearly',
  registers: [registry],
});

export type Scrape = {
  database: DatabasePool;
  disk: Pick<DiskGuard, 'resultsPaused' | 'freeBytes'>;
  replica: Pick<Replica, 'state' | 'lagSeconds'> | null;
  now: Date;
  version: string;
};

/** The metrics as Prometheus reads them, whether the database answers or not. */
export async function metricsText(scrape: Scrape): Promise<{ text: string; contentType: string }> {
  const { database, disk, replica, now, version } = scrape;
  build.set({ version }, 1);
  const freeBytes = disk.freeBytes();
  if (freeBytes === null) diskFree.remove();
  else diskFree.set(freeBytes);
  resultsPaused.set(disk.resultsPaused() ? 1 : 0);
  readPool(database.pool);
  readReplica(replica);
  const { db } = database;
  const reads = [readInstallation(db), readRegions(db, now), readQueues(db, now), readDatabase(db)];
  const read = await Promise.allSettled(reads);
  const answers = read.every(({ status }) => status === 'fulfilled');
  up.set(answers ? 1 : 0);
  // Old figures would look like fresh ones.
  if (!answers) for (const clear of [clearInstallation, clearRegions, clearQueues, clearDatabase]) clear();
  const all = withProcessMetrics();
  return { text: await all.metrics(), contentType: all.contentType };
}
