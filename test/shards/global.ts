// Runs once before and after the shards: what every test file needs, and the dashboard, which several processes would otherwise
// find missing or old at the same time, and build each for itself.
import { readyDashboard } from '#src/supervise/dashboard.ts';
import { silent } from '../harness/cluster.ts';
import { globalSetup as prepare } from '../harness/global.ts';

export { globalTeardown } from '../harness/global.ts';

export async function globalSetup(): Promise<void> {
  await Promise.all([prepare(), readyDashboard(silent, new AbortController().signal)]);
}
