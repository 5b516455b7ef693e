// Seals every stored secret under the SECRET_KEY in force, a few rows at a time, while servers go on.
import { sql } from 'kysely';
import { SecretUnreadable, type Vault } from '../platform/secrets.ts';
import { type Actor, type Database, runWork } from '../platform/work.ts';
import { SEALED_COLUMNS, type SealedColumn, type SealedRow } from './sealed-columns.ts';

export type ResealOptions = {
  db: Database;
  vault: Vault;
  now: Date;
  actor: Actor;
  /** Told after every batch. */
  progress?: (done: Resealed) => void;
  signal?: AbortSignal;
};

/** How many values: sealed again by this run, sealed under the key in force already, and of no key that is known. */
export type Resealed = { resealed: number; current: number; unreadable: number };
export type SealCount = { table: string; column: string; current: number; left: number; unreadable: number };

const BATCH = 100;

/**
 * Seals again what is not sealed under the key in force, in small transactions. What no key opens stays as it is. Run
 * twice, or stopped on the way, it does what is left.
 */
export async function resealAll(options: ResealOptions): Promise<Resealed> {
  const { db, vault, now, actor, progress, signal } = options;
  const done: Resealed = { resealed: 0, current: 0, unreadable: 0 };
  for (const sealed of SEALED_COLUMNS)
    for await (const rows of batchesOf(db, sealed)) {
      signal?.throwIfAborted();
      const judged = await Promise.all(
        rows.map(async (row) => ({ row, to: await tryReseal(sealed, row, vault) })),
      );
      const stale = judged.filter(({ to }) => to.kind === 'stale').map(({ row }) => row.id);
      done.current += judged.filter(({ to }) => to.kind === 'current').length;
      done.unreadable += judged.filter(({ to }) => to.kind === 'unreadable').length;
      if (stale.length > 0)
        done.resealed += await runWork(db, now, actor, async ({ tx }) => {
          let changed = 0;
          // Read again under a lock: somebody may have written a new secret meanwhile.
          for (const row of await rowsOf(tx, sealed, sql`${sql.ref(sealed.id)} = ANY(${stale}) `, true)) {
            const to = await tryReseal(sealed, row, vault);
            if (to.kind !== 'stale') continue;
            await sql`UPDATE ${sql.table(sealed.table)} SET ${sql.ref(sealed.column)} = ${to.value}
              WHERE ${sql.ref(sealed.id)} = ${row.id}`.execute(tx);
            changed += 1;
          }
          return changed;
        });
      progress?.(done);
    }
  return done;
}

/** Counts the progress, column by column. Changes nothing. */
export async function countSeals(db: Database, vault: Vault): Promise<SealCount[]> {
  const counts: SealCount[] = [];
  for (const sealed of SEALED_COLUMNS) {
    const count = { table: sealed.table, column: sealed.column, current: 0, left: 0, unreadable: 0 };
    for await (const rows of batchesOf(db, sealed))
      for (const row of rows) {
        const { kind } = await tryReseal(sealed, row, vault);
        if (kind === 'stale') count.left += 1;
        else count[kind] += 1;
      }
    counts.push(count);
  }
  return counts;
}

type Judged = { kind: 'current' | 'unreadable' } | { kind: 'stale'; value: unknown };

async function tryReseal(sealed: SealedColumn, row: SealedRow, vault: Vault): Promise<Judged> {
  try {
    const value = await sealed.reseal(row, vault);
    return value === null ? { kind: 'current' } : { kind: 'stale', value };
  } catch (error) {
    if (error instanceof SecretUnreadable) return { kind: 'unreadable' };
    throw error;
  }
}

async function* batchesOf(db: Database, sealed: SealedColumn): AsyncIterable<SealedRow[]> {
  for (let after = ''; ; ) {
    const rows = await rowsOf(db, sealed, sql`${sql.ref(sealed.id)} > ${after}`, false);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.id ?? '';
  }
}

async function rowsOf(
  db: Database,
  { table, column, id, mark, type }: SealedColumn,
  which: ReturnType<typeof sql>,
  locked: boolean,
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    SELECT ${sql.ref(id)} AS id, ${sql.ref(column)} AS value, ${type ? sql.ref(type) : sql`''`} AS type
    FROM ${sql.table(table)} WHERE ${which} AND ${sql.ref(column)}::text LIKE ${mark}
    ORDER BY 1 LIMIT ${BATCH} ${locked ? sql`FOR UPDATE` : sql``}`.execute(db);
  return rows;
}
