// Programs that the siege starts: each is ended by its own id, whatever its state.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { kill } from '#test/harness/bundled-postgres.ts';

export type Program = { pid: number; signal: (signal: NodeJS.Signals) => void; end: () => Promise<void> };

/** Starts one whose output goes to a file. */
export async function startProgram(
  command: readonly string[],
  options: { env: Record<string, string>; log: string },
): Promise<Program> {
  const log = await open(options.log, 'a');
  const [file = '', ...words] = command;
  const child: ChildProcess = spawn(file, words, {
    cwd: '/',
    env: options.env,
    stdio: ['ignore', log.fd, log.fd],
  });
  await once(child, 'spawn');
  await log.close();
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    signal: (signal) => void child.kill(signal),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The postmaster of a data folder and its children; none if it does not run. Its supervisor does not outlive it by much. */
export function postgresOf(dataDir: string): number[] {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    // Another program may have the id by now.
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir)) return [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return [pid, ...children.split(' ').filter(Boolean).map(Number)];
  } catch {
    return [];
  }
}

/** Signals all of them, the postmaster first. */
export function signalPostgres(dataDir: string, signal: NodeJS.Signals): void {
  for (const pid of postgresOf(dataDir)) kill(pid, signal);
}
