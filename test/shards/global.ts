// Runs once before and after the shards: what every test file needs, and what several processes would otherwise find missing
// at the same time, and make each for itself: the program, the dashboard, and the database of an installation.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readyDashboard } from '#src/supervise/dashboard.ts';
import { readyDownloads } from '#src/supervise/downloads.ts';
import { silent } from '../harness/cluster.ts';
import { globalTeardown as end, globalSetup as prepare } from '../harness/global.ts';
import { prepareData } from '../harness/prepared-data.ts';
import { startWhatIsBuilt } from '../harness/program.ts';

/** Builds what an installation of a checkout runs, where it is out of date. */
async function readyProgram(): Promise<void> {
  const bin = join(import.meta.dirname, '../../bin/tocsin.js');
  await promisify(execFile)(process.execPath, [bin, '--version']);
  await startWhatIsBuilt();
}

let removeData: (() => Promise<void>) | null = null;

export async function globalSetup(): Promise<void> {
  const [remove] = await Promise.all([
    prepareData(),
    prepare(),
    readyProgram(),
    readyDashboard(silent, new AbortController().signal),
    readyDownloads(silent, new AbortController().signal),
  ]);
  removeData = remove;
}

export async function globalTeardown(): Promise<void> {
  await removeData?.();
  await end();
}
