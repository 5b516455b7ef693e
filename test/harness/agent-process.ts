// An agent in a process of its own, as on a real machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { compileCache } from './program.ts';

export type AgentProcess = {
  process: ChildProcess;
  /** Everything it has logged so far. */
  log: () => string;
  /** Sends the signal to this process; resolves to how it ended. */
  end: (signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL') => Promise<number | string | null>;
};

const PROGRAM = join(import.meta.dirname, '../../agent/single-file.ts');
const ownEnv = () => ({ PATH: process.env.PATH ?? '', HOME: tmpdir(), ...compileCache() });

/** Starts one; ended with the test. */
export async function startAgentProcess(t: TestContext, words: readonly string[]): Promise<AgentProcess> {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    env: ownEnv(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
  const end = async (signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL') => {
    child.kill(signal);
    return ended;
  };
  t.after(() => end('SIGKILL'));
  await once(child, 'spawn');
  return { process: child, log: () => said, end };
}

export type Ended = { code: number | null; out: string; err: string };

/** Runs one to its end. */
export async function runAgentProcess(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    env: { ...ownEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended: Ended = { code: null, out: '', err: '' };
  child.stdout.on('data', (text) => (ended.out += text));
  child.stderr.on('data', (text) => (ended.err += text));
  const [code] = await once(child, 'close');
  return { ...ended, code };
}
