// Tables partitioned by time: partitions are created ahead and dropped whole, never row by row
// (docs/rules/limits.md#retention).
import { sql } from 'kysely';
import { DAY_MS } from '#src/domain/durations.ts';
import type { Database } from '../work.ts';
import { inTransaction } from './transaction.ts';

export type Span = 'day' | 'month';
export type Partitioned = { table: string; span: Span; keepDays: number };
/** No partition that ends after `notBehind` is dropped yet, whatever its age. */
export type Held = Partitioned & { notBehind?: Date };

/** Partitions created ahead of time, so that they exist at midnight. */
const AHEAD = 3;

/** First instant and name suffix of the span that contains an instant, in UTC. */
export function spanOf(at: Date, span: Span): { from: Date; to: Date; suffix: string } {
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  const day = span === 'day' ? at.getUTCDate() : 1;
  const from = new Date(Date.UTC(year, month, day));
  const to = span === 'day' ? new Date(from.getTime() + DAY_MS) : new Date(Date.UTC(year, month + 1, 1));
  const suffix = from
    .toISOString()
    .slice(0, span === 'day' ? 10 : 7)
    .replaceAll('-', '');
  return { from, to, suffix };
}

/** What a partition does not get from being attached. */
const LIKE_ITS_TABLE =
  'INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION';

/** A partition: its name, the statement that creates it, and those that do so beside readers of the table. */
type Partition = { name: string; create: string; attach: readonly string[] };

/** The partition of an instant. */
export function partitionOf({ table, span }: Partitioned, at: Date): Partition {
  const { from, to, suffix } = spanOf(at, span);
  const name = `${table}_${suffix}`;
  const range = `FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`;
  return {
    name,
    create: `CREATE TABLE IF NOT EXISTS "${name}" PARTITION OF "${table}" FOR VALUES ${range}`,
    attach: [
      `CREATE TABLE "${name}" (LIKE "${table}" ${LIKE_ITS_TABLE})`,
      `ALTER TABLE "${table}" ATTACH PARTITION "${name}" FOR VALUES ${range}`,
    ],
  };
}

async function isTable(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS known`.execute(
    db,
  );
  return rows[0]?.known === true;
}

/**
 * Whether the installation ran between one and four days ago, which made the partition of yesterday. Where it did not, the clock may
 * have jumped ahead, and what expires is gone for good: nothing is deleted until this clock is a day old.
 */
export const ranYesterday = (db: Database, daily: Partitioned, now: Date): Promise<boolean> =>
  isTable(db, partitionOf(daily, new Date(now.getTime() - DAY_MS)).name);

/**
 * Creates the partition of an instant, if it is missing. Safe with many processes at once. It is attached: creating it in place
 * would wait for, and hold up, every reader of the table, and a long one, such as pg_dump, would let no server start.
 */
export async function makePartition(db: Database, partitioned: Partitioned, at: Date): Promise<void> {
  const { name, attach } = partitionOf(partitioned, at);
  if (await isTable(db, name)) return;
  try {
    await inTransaction(db, async (tx) => {
      for (const statement of attach) await sql.raw(statement).execute(tx);
    });
  } catch (error) {
    // Another process created it at the same moment: the relation, type name or range exists.
    if (!['42P07', '42710', '23505', '42P17'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

/** Creates the partitions needed now and soon. */
export async function makePartitions(db: Database, tables: readonly Partitioned[], now: Date): Promise<void> {
  const needed = tables.flatMap((partitioned) => {
    const ats = [now];
    while (ats.length <= AHEAD) ats.push(spanOf(ats.at(-1) ?? now, partitioned.span).to);
    return ats.map((at) => ({ partitioned, at, name: partitionOf(partitioned, at).name }));
  });
  // One statement about all of them: nearly always none is missing.
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${needed.map(({ name }) => name)}::text[]) AS name WHERE to_regclass(name) IS NULL`.execute(
    db,
  );
  const missing = new Set(rows.map(({ name }) => name));
  for (const { partitioned, at, name } of needed)
    if (missing.has(name)) await makePartition(db, partitioned, at);
}

/** The first instant of the oldest partition that is kept. */
export function keptFrom({ span, keepDays, notBehind }: Held, now: Date): Date {
  const from = Math.min(now.getTime() - keepDays * DAY_MS, notBehind?.getTime() ?? Number.POSITIVE_INFINITY);
  return spanOf(new Date(from), span).from;
}

/** Drops expired partitions that nobody reads for long. */
export async function dropExpired(db: Database, tables: readonly Held[], now: Date): Promise<void> {
  // By their names: one that was detached and not dropped, because the process ended in between, has no parent any more.
  const { rows } = await sql<{ table: string; name: string }>`
    SELECT p.relname AS table, c.relname AS name FROM pg_class p
    JOIN pg_class c ON c.relnamespace = p.relnamespace AND c.relkind = 'r' AND c.relname ~ ('^' || p.relname || '_[0-9]+$')
    WHERE p.oid = ANY(${tables.map(({ table }) => table)}::regclass[])`.execute(db);
  const oldest = new Map(tables.map((held) => [held.table, spanOf(keptFrom(held, now), held.span).suffix]));
  for (const { table, name } of rows) {
    if (name.slice(table.length + 1) >= (oldest.get(table) ?? '')) continue;
    try {
      await drop(db, table, name);
    } catch (error) {
      // Somebody reads it for long, such as pg_dump. The next round drops it; a server must start meanwhile.
      if (!OUT_OF_TIME.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}

/** A wait for a lock, and a statement. */
const OUT_OF_TIME = new Set(['55P03', '57014']);

async function drop(db: Database, table: string, name: string): Promise<void> {
  // Detached first: dropping the partition directly would wait for, and hold up, every reader of the parent.
  try {
    await sql`ALTER TABLE ${sql.table(table)} DETACH PARTITION ${sql.table(name)}`.execute(db);
  } catch (error) {
    // It is detached already, perhaps by another process at the same moment.
    if ((error as { code?: string }).code !== '42P01') throw error;
  }
  await sql`DROP TABLE IF EXISTS ${sql.table(name)}`.execute(db);
}
