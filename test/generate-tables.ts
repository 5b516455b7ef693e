// `npm run generate:tables`: writes src/platform/db/tables.ts from the migrations, on a cluster made for it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../src/platform/db/migrate.ts';
import { databaseUrl, silent, startTestCluster } from './harness/cluster.ts';
import { describeTables } from './harness/describe-tables.ts';

const path = join(import.meta.dirname, '../src/platform/db/tables.ts');
const cluster = await startTestCluster();
const admin = new pg.Client({ connectionString: cluster.url });
await admin.connect();
try {
  await admin.query('CREATE DATABASE tables');
  const url = databaseUrl(cluster.url, 'tables');
  await migrate(url, silent);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await writeFile(path, await describeTables(client));
  await client.end();
  console.log(`${path} written`);
} finally {
  await admin.end();
  await cluster.stop();
}
