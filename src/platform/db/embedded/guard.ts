// One server per data directory. The running server listens on a socket in the private directory. The kernel closes the
// socket when the process ends, however it ends, so no stale lock can remain.
import { rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';

export type Guard = { release(): Promise<void> };

/** Thrown when another server uses the data directory; `pid` is its process id, if it answered with one. */
export class DataDirInUse extends Error {
  readonly pid: number | null;

  constructor(dataDir: string, pid: number | null) {
    super(
      `Another Tocsin server${pid ? ` (process ${pid})` : ''} already runs on the data directory ${dataDir}. ` +
        'Stop it first, or give this one a DATA_DIR of its own.',
    );
    this.name = 'DataDirInUse';
    this.pid = pid;
  }
}

/** Claims the data directory for this process, or throws DataDirInUse. `path` is the socket (or the Windows pipe). */
export async function guardDataDir(dataDir: string, path: string): Promise<Guard> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const server = await listen(path);
    if (server) return { release: () => new Promise((done) => server.close(() => done())) };
    const holder = await askHolder(path);
    if (holder.alive) throw new DataDirInUse(dataDir, holder.pid);
    await removeStale(path, dataDir);
  }
  throw new DataDirInUse(dataDir, null);
}

/** Whether a server listens on the guard socket, and its process id. */
export async function askHolder(path: string): Promise<{ alive: boolean; pid: number | null }> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path);
    socket.setTimeout(1000, () => socket.destroy());
    let connected = false;
    socket.once('connect', () => {
      connected = true;
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve({ alive: connected, pid: Number.parseInt(text, 10) || null }));
  });
}

async function listen(path: string): Promise<Server | null> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(`${process.pid}\n`);
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** Moves a dead socket aside before removing it: otherwise two starting servers could remove each other's new socket. */
async function removeStale(path: string, dataDir: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
  } catch {
    return; // another starter was quicker; the next attempt sees its socket
  }
  const holder = await askHolder(aside);
  if (holder.alive) {
    await rename(aside, path);
    throw new DataDirInUse(dataDir, holder.pid);
  }
  await rm(aside, { force: true });
}
