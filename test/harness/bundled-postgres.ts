// The bundled PostgreSQL of an installation, seen from outside: its processes, and a connection to it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** A server that was killed leaves PostgreSQL running, which the next start would stop. */
export async function endOrphan(dataDir: string): Promise<void> {
  const [pid] = await postgresProcesses(dataDir);
  if (pid === undefined || !kill(pid, 'SIGINT')) return;
  while (kill(pid, 0)) await pause(20);
}

/** Signals a process; false if it does not exist. Signal 0 only tests that. */
export function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** The postmaster of a data directory and all its children. */
export async function postgresProcesses(dataDir: string): Promise<number[]> {
  const [pid] = await postmasterFile(dataDir);
  if (!pid || !kill(Number(pid), 0)) return [];
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return [pid, ...children.split(' ')].filter(Boolean).map(Number);
}

async function postmasterFile(dataDir: string): Promise<string[]> {
  const text = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  return text.split('\n').map((line) => line.trim());
}

/** Queries the bundled database directly. */
export async function query<T>(dataDir: string, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const [, , , port, host] = await postmasterFile(dataDir);
  const client = new pg.Client({ host, port: Number(port), user: 'tocsin', database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}
