// One probe per data folder: two would take each other's unsent results. The running probe listens on a socket in its folder
// (on Windows a pipe), which the kernel closes when the process ends, however it ends: a dead probe keeps no other out.
import { createHash } from 'node:crypto';
import { mkdir, realpath, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { type Log, reasonOf } from './log.ts';
import { pause } from './retry.ts';

export type FolderGuard = { release(): Promise<void> };

export type FolderGuardOptions = {
  dataDir: string;
  log: Log;
  /** Waits before the next attempt; absent: by the machine's time. */
  wait?: ((ms: number) => Promise<void>) | undefined;
};

type Holder = { pid: number | null };

const SOCKET = 'probe.sock';
/** The shortest limit of the systems is 104 bytes, with the ending of one set aside; some versions of Node cut longer ones. */
const MAX_PATH_BYTES = 90;
/** A probe whose supervisor was killed needs some seconds to end in order. */
const RETRY_MS = 500;
const RETRIES = 10;
const ANSWER_MS = 1_000;

/**
 * Claims a data folder, creating it if absent, for this process. Rejects with a sentence while another probe holds it, after
 * a wait of some seconds. Where no such socket is possible it logs that, and claims nothing.
 */
export async function guardFolder(options: FolderGuardOptions): Promise<FolderGuard> {
  const { dataDir, log, wait = (ms) => pause(ms, new AbortController().signal) } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = await socketPath(dataDir);
  let holder: Holder = { pid: null };
  for (let attempt = 0; attempt <= RETRIES; attempt++) {
    if (attempt > 0) await wait(RETRY_MS);
    try {
      const claimed = await take(path);
      if ('release' in claimed) return claimed;
      holder = claimed;
    } catch (error) {
      log('warn', 'Another probe in this data folder would not be noticed: no socket can be opened there', {
        path,
        reason: reasonOf(error),
      });
      return { release: async () => undefined };
    }
  }
  throw new Error(
    `another probe${holder.pid === null ? '' : ` (process ${holder.pid})`} runs with the data folder ${dataDir}. ` +
      'Stop it first, or give this one a --data-dir of its own',
  );
}

async function socketPath(dataDir: string): Promise<string> {
  if (process.platform !== 'win32') return join(dataDir, SOCKET);
  const folder = (await realpath(dataDir)).toLowerCase();
  return `\\\\.\\pipe\\tocsin-probe-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
}

/** Takes the socket, also from a dead process. */
async function take(path: string): Promise<FolderGuard | Holder> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw new Error('the path is too long');
  const guard = await listen(path);
  if (guard !== null) return guard;
  const holder = await ask(path);
  if (holder !== null) return holder;
  // Set aside before it is removed: otherwise two that start could remove each other's new socket.
  const aside = `${path}.${process.pid}`;
  await rename(path, aside).catch(ifNotMissing);
  const newHolder = await ask(aside);
  if (newHolder !== null) {
    await rename(aside, path);
    return newHolder;
  }
  await rm(aside, { force: true });
  return (await listen(path)) ?? { pid: null };
}

/** Null: there is one already, of a live process or a dead one. */
function listen(path: string): Promise<FolderGuard | null> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(`${process.pid}\n`);
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(path, () => {
      server.unref();
      resolve({ release: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

/** The process that listens on a socket; null: none does. The kernel accepts for one that stands still as well. */
function ask(path: string): Promise<Holder | null> {
  return new Promise((resolve, reject) => {
    let text = '';
    let found: Holder | null = null;
    const socket = connect(path, () => {
      found = { pid: null };
    });
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const { code } = error;
      // More than it can accept wait for it.
      if (code === 'EAGAIN') found = { pid: null };
      else if (found === null && code !== 'ECONNREFUSED' && code !== 'ENOENT') reject(error);
    });
    socket.once('close', () => resolve(found && { pid: Number.parseInt(text, 10) || null }));
  });
}

function ifNotMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
