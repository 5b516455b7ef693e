// A real PgBouncer in transaction mode in front of the test cluster: a process with its own folder and port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedPort } from './listeners.ts';
import { findServer } from './provide-servers.ts';
import { until } from './until.ts';

const PROGRAM = findServer('pgbouncer');
/** For `test(…, { skip })`. */
export const noPgBouncer = (): string | false => PROGRAM === null && 'no PgBouncer on this machine';

export type PgBouncer = AsyncDisposable & {
  /** The given database through it. */
  url: string;
  pid: number;
};

/**
 * Starts one with this many sessions of the database at `url`, which it reaches over its socket. Fewer sessions than its
 * clients have connections, so that a transaction meets whatever another one left behind.
 */
export async function startPgBouncer(url: string, sessions: number): Promise<PgBouncer> {
  const { username, hostname, pathname } = new URL(url);
  const socketDir = decodeURIComponent(hostname);
  const port = await closedPort();
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-pgbouncer-'));
  const config = join(dir, 'pgbouncer.ini');
  await writeFile(
    config,
    [
      '[databases]',
      `* = host=${socketDir} user=${username}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
      'auth_type = any\npool_mode = transaction',
      `default_pool_size = ${sessions}\nmax_client_conn = 100`,
    ].join('\n'),
  );
  // It refuses to run as root; the owner of the socket may use it.
  const { uid, gid } = await stat(socketDir);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [dir, config]) await chown(path, uid, gid);
  const child = spawn(PROGRAM ?? '', [config], { stdio: 'ignore', ...(isRoot ? { uid, gid } : {}) });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
      return answers(port);
    }, 'PgBouncer listens');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: stop,
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  const connected = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return connected;
}
