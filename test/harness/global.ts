// Runs once before and after all test files of `npm test`: one database cluster, one browser looked for.

import { startTestCluster, type TestCluster } from './cluster.ts';
import { CLUSTER_VARIABLE } from './database.ts';
import { provideBrowser } from './provide-browser.ts';

let cluster: TestCluster | null = null;

export async function globalSetup(): Promise<void> {
  const [started] = await Promise.all([startTestCluster(), provideBrowser()]);
  cluster = started;
  process.env[CLUSTER_VARIABLE] = started.url;
}

export async function globalTeardown(): Promise<void> {
  await cluster?.stop();
}
