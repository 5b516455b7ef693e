// Another server on the database of a benchmark's installation.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Installation, startInstallation } from '../test/harness/installation.ts';
import type { Context } from './figure.ts';
import { serverProcesses } from './processes.ts';
import type { Subject } from './subject.ts';

export type FurtherServer = {
  url: string;
  installation: Installation;
  /** Its supervisor and the serving process. */
  pids: () => number[];
};

/** Starts it without a probe; ended and removed with the benchmark, before the installation. */
export async function startFurtherServer(
  context: Context,
  subject: Subject,
  env: Record<string, string> = {},
): Promise<FurtherServer> {
  const installation = await startInstallation({
    dataDir: await mkdtemp(join(tmpdir(), 'tocsin-bench-server-')),
    env: {
      DATABASE_URL: subject.databaseUrl,
      SECRET_KEY: subject.secretKey,
      LOCAL_PROBE: 'off',
      RATE_LIMITS: 'off',
      ...env,
    },
  });
  context.hooks.add('further server', () => installation.remove());
  return {
    url: installation.url,
    installation,
    pids: () => serverProcesses(installation.process.pid!),
  };
}
