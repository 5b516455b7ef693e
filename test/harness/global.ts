// Runs once before and after all test files of `npm test`: sets up one database cluster, and finds a browser and some servers.

import { join } from 'node:path';
import { startTestCluster, type TestCluster } from './cluster.ts';
import { CLUSTER_VARIABLE } from './database.ts';
import { provideBrowser } from './provide-browser.ts';
import { providePing } from './provide-ping.ts';
import { provideServers } from './provide-servers.ts';

let cluster: TestCluster | null = null;

export async function globalSetup(): Promise<void> {
  const [started] = await Promise.all([startTestCluster(), provide()]);
  cluster = started;
  process.env[CLUSTER_VARIABLE] = started.url;
  // Every file is a process of its own, and most load the whole application: compiled once, and not each time anew.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/node');
}

export async function globalTeardown(): Promise<void> {
  await cluster?.stop();
}

/** One after the other: the package manager serves one at a time. */
async function provide(): Promise<void> {
  await provideBrowser();
  await provideServers();
  await providePing();
}
