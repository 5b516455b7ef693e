// Rights times that were stored while the clock of the database was ahead (docs/rules/confirmation.md#a-clock-that-was-set-back).
// Rows that another transaction is changing are left alone: the watch holds the states of all monitors, and a wait for whoever waits
// for one of those would never end.
import { type RawBuilder, sql } from 'kysely';
import type { Work } from '../work.ts';
import type { DB } from './tables.ts';

/** The clock was set back by this much. */
export type SetBack = { byMs: number };

type Dated<Table extends keyof DB> = readonly (keyof DB[Table] & string)[];

/** Whatever these columns date later than now happened now. */
export async function countAsNow<Table extends keyof DB & string>(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  table: Table,
  columns: Dated<Table>,
): Promise<void> {
  await right(
    { tx, now },
    { table, columns, where: sql`true` },
    (column) => sql`least(${column}, ${now}::timestamptz)`,
  );
}

/** Waits until the times in these columns end as long after now as they would have ended on the clock that was ahead. */
export async function countFromNow<Table extends keyof DB & string>(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  { byMs }: SetBack,
  table: Table,
  columns: Dated<Table>,
  where: RawBuilder<unknown> = sql`true`,
): Promise<void> {
  await right({ tx, now }, { table, columns, where }, (column) => sooner(column, now, byMs));
}

/** A time that was stored while the clock was ahead, on the clock as it is now; other times stay as they are. */
export const sooner = (column: RawBuilder<unknown>, now: Date, byMs: number): RawBuilder<unknown> =>
  sql`CASE WHEN ${column} > ${now}::timestamptz AND ${column} < 'infinity'
    THEN greatest(${now}::timestamptz, ${column} - ${byMs}::float8 * interval '1 millisecond') ELSE ${column} END`;

async function right(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  { table, columns, where }: { table: string; columns: readonly string[]; where: RawBuilder<unknown> },
  righted: (column: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  const isAhead = columns.map(
    (column) => sql`(${sql.ref(column)} > ${now}::timestamptz AND ${sql.ref(column)} < 'infinity')`,
  );
  const set = columns.map((column) => sql`${sql.ref(column)} = ${righted(sql.ref(column))}`);
  await sql`
    UPDATE ${sql.table(table)} SET ${sql.join(set)} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${sql.table(table)} WHERE (${sql.join(isAhead, sql` OR `)}) AND ${where}
      FOR NO KEY UPDATE SKIP LOCKED))`.execute(tx);
}
