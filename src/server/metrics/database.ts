// The database as this process has it: its connections, its size, how fast it answers.
import { sql } from 'kysely';
import type pg from 'pg';
import { Gauge } from 'prom-client';
import { registry } from '#src/platform/metrics.ts';
import type { Database } from '#src/platform/work.ts';

const connections = new Gauge({
  name: 'tocsin_database_connections',
  help: 'Connections of the pool of this process, by what they do',
  labelNames: ['state'],
  registers: [registry],
});
const maxConnections = new Gauge({
  name: 'tocsin_database_connections_max',
  help: 'Connections that the pool of this process may have',
  registers: [registry],
});
const waiting = new Gauge({
  name: 'tocsin_database_waiting',
  help: 'Queries of this process that wait for a connection',
  registers: [registry],
});
const size = new Gauge({
  name: 'tocsin_database_size_bytes',
  help: 'Size of the database on its disk',
  registers: [registry],
});
const answer = new Gauge({
  name: 'tocsin_database_answer_seconds',
  help: 'How long the database took to answer the smallest question at this scrape',
  registers: [registry],
});

export function readPool(pool: pg.Pool): void {
  connections.set({ state: 'idle' }, pool.idleCount);
  connections.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
  maxConnections.set(pool.options.max);
  waiting.set(pool.waitingCount);
}

/** Reads the size of the database, and how long it takes to answer. */
export async function readDatabase(db: Database): Promise<void> {
  const startedAt = performance.now();
  await sql`SELECT 1`.execute(db);
  const tookMs = performance.now() - startedAt;
  const { rows } = await sql<{ bytes: number }>`
    SELECT pg_database_size(current_database())::bigint AS bytes`.execute(db);
  answer.set(tookMs / 1000);
  size.set(rows[0]?.bytes ?? 0);
}

export function clearDatabase(): void {
  size.remove();
  answer.remove();
}
