// A whole installation as a user starts it: `tocsin serve` on a folder of its own, with its database and probe.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, makeClient, signIn } from './client.ts';
import { closedPort } from './listeners.ts';
import { newDataDir } from './prepared-data.ts';

export const ADMIN = { email: 'alice@example.com', password: 'a long enough password' };

export type Installation = {
  url: string;
  dataDir: string;
  process: ChildProcess;
  /** Everything it has printed so far. */
  output: () => string;
  /** Signed in as the admin. */
  admin: () => Promise<Client>;
  /** Ctrl-C, and waits for the end; the folder stays. Resolves with the exit code. */
  interrupt: () => Promise<number | null>;
  /** `kill -9` of its supervisor and its server at once, as when the machine runs out of memory. */
  kill: () => Promise<void>;
  /** `kill -9` of the server alone, which its supervisor notices. */
  killServer: () => void;
  /** The current serving process. */
  serverPid: () => number;
  /** Ends it and removes the folder. */
  remove: () => Promise<void>;
};

/** Process ids of the children of a process (Linux). */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

const PROGRAM = 'bin/tocsin.js';
const ROOT = join(import.meta.dirname, '../..');

/**
 * Starts an installation and waits until it serves; `dataDir` continues an earlier one. Each of its processes may open
 * `openFiles` files; by default as many as the test itself.
 */
export async function startInstallation(
  options: {
    dataDir?: string;
    port?: number;
    env?: Record<string, string>;
    openFiles?: number;
    /** Further arguments of the command line. */
    words?: readonly string[];
    /** Another checkout than this one. */
    checkout?: string;
  } = {},
): Promise<Installation> {
  const dataDir = options.dataDir ?? (await newDataDir());
  let output = '';
  // As `npm start` does it.
  const main = join(options.checkout ?? ROOT, PROGRAM);
  const command = [process.execPath, '--max-semi-space-size=4', main, 'serve', ...(options.words ?? [])];
  const limited = ['/bin/sh', '-c', `ulimit -n ${options.openFiles} && exec "$0" "$@"`, ...command];
  const [program = '', ...words] = options.openFiles === undefined ? command : limited;
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT: String(options.port ?? (await closedPort())),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ADMIN_ORGANIZATION: 'Example',
      LOG_LEVEL: 'warn',
      // No name outside this machine is ever resolved.
      CANARIES: 'none',
      ...options.env,
    },
  });
  const interrupt = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    }
    return child.exitCode;
  };
  const serverPids = () =>
    childrenOf(child.pid!).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server-process'),
    );
  const killServer = () => {
    for (const pid of serverPids()) process.kill(pid, 'SIGKILL');
  };
  const kill = async () => {
    const ended = once(child, 'exit');
    const servers = serverPids();
    for (const pid of [child.pid!, ...servers]) process.kill(pid, 'SIGKILL');
    await ended;
  };
  const remove = async () => {
    await interrupt();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not ready within 60 s:\n${output}`)), 60_000);
      const onOutput = (chunk: Buffer) => {
        output += chunk.toString('utf8');
        const address = /(?:Address|Dashboard)\s+(http:\S+)/.exec(output)?.[1];
        if (!address || !output.includes('Ctrl-C')) return;
        clearTimeout(timer);
        resolve(address);
      };
      child.stdout.on('data', onOutput);
      child.stderr.on('data', onOutput);
      child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`ended with ${code} before it was ready:\n${output}`));
      });
    });
    return {
      url,
      dataDir,
      process: child,
      output: () => output,
      async admin() {
        const client = makeClient(url);
        await signIn(client, ADMIN.email, ADMIN.password);
        return client;
      },
      interrupt,
      kill,
      killServer,
      serverPid: () => serverPids()[0] ?? 0,
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
