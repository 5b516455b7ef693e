// Containers, over the socket of Docker, if this user may read it.
import { accessSync, constants } from 'node:fs';
import { exchange } from '../exchange.ts';
import { isRecord } from '../heartbeat.ts';
import type { Counted } from './use.ts';

export type Container = { id: string; name: string; running: boolean };

const SOCKET = process.platform === 'win32' ? '//./pipe/docker_engine' : '/var/run/docker.sock';
const LIMIT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;

export function mayReadDocker(socketPath = SOCKET): boolean {
  try {
    accessSync(socketPath, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export const readContainers = async (socketPath = SOCKET): Promise<Container[]> =>
  containersIn(await ask('/containers/json?all=1', socketPath));

/** A single sample, without the second one that Docker would take a second later. */
export const readContainer = async (id: string, socketPath = SOCKET): Promise<Counted> =>
  containerUseIn(
    await ask(`/containers/${encodeURIComponent(id)}/stats?stream=false&one-shot=true`, socketPath),
  );

/** From the answer to GET /containers/json. */
export function containersIn(body: unknown): Container[] {
  if (!Array.isArray(body)) throw new Error('no list of containers');
  return body.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.Id !== 'string' || !Array.isArray(entry.Names)) return [];
    const [name]: unknown[] = entry.Names;
    if (typeof name !== 'string') return [];
    return [{ id: entry.Id, name: name.replace(/^\//, ''), running: entry.State === 'running' }];
  });
}

/** From the answer to GET /containers/ID/stats: memory without the page cache. */
export function containerUseIn(body: unknown): Counted {
  const memory = fieldOf(body, 'memory_stats');
  const used = fieldOf(fieldOf(fieldOf(body, 'cpu_stats'), 'cpu_usage'), 'total_usage');
  const usage = fieldOf(memory, 'usage');
  const stats = fieldOf(memory, 'stats');
  const cached = fieldOf(stats, 'inactive_file') ?? fieldOf(stats, 'total_inactive_file') ?? 0;
  return {
    running: true,
    usedMs: typeof used === 'number' ? used / 1e6 : null,
    memMb: typeof usage === 'number' ? Math.max(0, usage - Number(cached)) / 1e6 : null,
  };
}

const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

async function ask(path: string, socketPath: string): Promise<unknown> {
  const url = new URL(path, 'http://docker');
  const limits = { timeoutMs: LIMIT_MS, maxBytes: MAX_BYTES };
  const { status, text } = await exchange({ url, socketPath, method: 'GET', ...limits });
  if (status !== 200) throw new Error(`Docker answers ${status}`);
  return JSON.parse(text);
}
