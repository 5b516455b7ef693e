// The time of a start, from the command to the first answered request.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from './figure.ts';
import { serverBelow } from './processes.ts';

const ROOT = join(import.meta.dirname, '..');
const PATIENCE_MS = 30_000;
/** The command, and its baseline: the same without npm around it. */
export const COMMANDS = {
  'npm start': ['npm', 'start'],
  'node src/main.ts serve': [process.execPath, 'src/main.ts', 'serve'],
} as const;

export type Started = { readyMs: number; stop: () => Promise<void> };

/** Starts on existing data with a command line; `readyMs` runs to the first 200 of /readyz. */
export async function timeStart(
  { hooks }: Context,
  command: keyof typeof COMMANDS,
  dataDir: string,
): Promise<Started> {
  const [file, ...words] = COMMANDS[command];
  const startedAtMs = performance.now();
  const child = spawn(file, words, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      CANARIES: 'none',
    },
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    // npm and its shell end with the server; a signal to them would not reach it.
    const server = child.exitCode === null && child.signalCode === null ? serverBelow(child.pid!) : null;
    if (server !== null) process.kill(server, 'SIGINT');
    else child.kill('SIGTERM');
    await ended;
  };
  hooks.add(command, stop);
  const url = await addressOf(child);
  for (;;) {
    const { status } = await fetch(`${url}/readyz`);
    if (status === 200) return { readyMs: performance.now() - startedAtMs, stop };
    await sleep(5);
  }
}

/** Milliseconds that a node needs to start and end without doing anything. */
export async function bareNode(): Promise<number> {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await once(child, 'exit');
  return performance.now() - startedAtMs;
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`not ready within 30 s:\n${output}`)), PATIENCE_MS);
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      const address = /(?:Address|Dashboard)\s+(http:\S+)/.exec(output)?.[1];
      if (!address) return;
      clearTimeout(timer);
      resolve(address);
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`ended with ${code} before it served:\n${output}`));
    });
  });
}
