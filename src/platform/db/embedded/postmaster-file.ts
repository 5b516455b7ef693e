// postmaster.pid: the file in which PostgreSQL names the process that owns its data directory.
import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Log } from '#src/platform/log.ts';
import { askHolder, DataDirInUse } from './guard.ts';

const run = promisify(execFile);

/**
 * Clears the way for a new postmaster; the caller holds the guard of this data directory.
 * A live postmaster without a server is an orphan (its server was killed) and is shut down. A file whose process is
 * gone, or whose process id now belongs to another program (a restarted container), is removed.
 * Throws DataDirInUse where a server that uses another temporary folder holds the cluster.
 */
export async function clearOrphan(clusterDir: string, guardName: string, log: Log): Promise<void> {
  const file = join(clusterDir, 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!(pid > 0)) return;
  if (!isAlive(pid)) return; // PostgreSQL replaces the file of a dead process itself
  if (!(await isPostmasterOf(pid, clusterDir))) {
    await rm(file, { force: true });
    return;
  }
  const socketDir = lines[4]?.trim();
  if (socketDir) {
    const holder = await askHolder(join(socketDir, guardName));
    // It may be this process, which has just taken the directory.
    if (holder.alive && holder.pid !== process.pid) throw new DataDirInUse(dirname(clusterDir), holder.pid);
  }
  log.warn({ pid }, 'The PostgreSQL of a killed server is still running on this data; stopping it');
  await terminate(pid);
}

/** Fast shutdown of a process that is not our child: SIGINT, after 10 s SIGQUIT; resolves when it is gone. */
async function terminate(pid: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    signalProcess(pid, signal);
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 10) {
      if (!isAlive(pid)) return;
      await sleep(10);
    }
  }
  throw new Error(
    `PostgreSQL (process ${pid}) of an earlier Tocsin server does not stop. Find out what keeps it (disk?), end it ` +
      'by hand, and start again.',
  );
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw new Error(
      `PostgreSQL (process ${pid}) of an earlier Tocsin server still runs on this data and belongs to another user. ` +
        'Stop it as that user (or as root) and start again.',
    );
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A postmaster's working directory is its data directory; where the system hides that, the name postgres must do. */
async function isPostmasterOf(pid: number, clusterDir: string): Promise<boolean> {
  const [cwd, cluster] = await Promise.all([
    stat(`/proc/${pid}/cwd`).catch(() => null),
    stat(clusterDir).catch(() => null),
  ]);
  if (cwd && cluster) return cwd.ino === cluster.ino && cwd.dev === cluster.dev;
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.includes('postgres');
  }
  if (process.platform === 'win32') return true;
  const { stdout } = await run('/bin/ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.includes('postgres');
}
