// A probe as an operator starts it: `tocsin probe` in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { programPath } from './program.ts';

export type ProbeProcess = {
  pid: number;
  process: ChildProcess;
  /** Everything it has logged so far. */
  log: () => string;
  /** Sends the signal to this process and waits for its end. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
};

export type ProbeOfTest = {
  url: string;
  token: string;
  /** The command before its options; `tocsin probe` by default. */
  program?: readonly string[];
  env?: Record<string, string>;
};

/** Starts one with a data directory of its own; ended and cleaned up with the test. */
export async function startProbeProcess(
  t: TestContext,
  { url, token, program = [process.execPath, programPath(), 'probe'], env = {} }: ProbeOfTest,
): Promise<ProbeProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'probe-process-'));
  const [command = '', ...words] = program;
  const child = spawn(command, [...words, '--url', url, '--data-dir', dataDir], {
    env: { PATH: process.env.PATH ?? '', TOCSIN_PROBE_TOKEN: token, CANARIES: 'none', ...env },
    // With a channel to its parent it is the probe itself, not its supervisor, so a signal ends it for good.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr!.on('data', (text) => (said += text));
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  t.after(async () => {
    await end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });
  await once(child, 'spawn');
  return { pid: child.pid!, process: child, log: () => said, end };
}
