// The address of the bundled PostgreSQL of a running server, for commands in another process.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterPassword } from './cluster-dir.ts';

/** URL of the PostgreSQL that runs on `DATA_DIR/postgres`; throws a sentence if none is running (yet). */
export async function runningUrl(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  // Process id, data directory, start, port, socket directory, listen address, shared memory, status.
  const [, , , port, socketDir, address, , status] = text.split('\n').map((line) => line.trim());
  if (!port || status !== 'ready')
    throw new Error(
      `The database of the Tocsin server that runs on ${dataDir} is not ready, or belongs to another user. Wait until ` +
        'the server serves, run this as the user that started it, and try again.',
    );
  if (socketDir) return `postgres://tocsin@${encodeURIComponent(socketDir)}:${port}/postgres`;
  return `postgres://tocsin:${await clusterPassword(dataDir)}@${address || '127.0.0.1'}:${port}/postgres`;
}
