// Whatever statements a transaction sends, and however they fail, they get the same answers as with a Sync of their own each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { freshDatabase } from '#test/harness/database.ts';
import type { PreparingClient } from './preparing-client.ts';
import { inTransaction, type Tx } from './transaction.ts';

type Statement = (tx: Tx, n: number) => Promise<unknown>;
type Spread = { database: Awaited<ReturnType<typeof freshDatabase>>; seed: number };

const circular: { self?: unknown } = {};
circular.self = circular;

const STATEMENTS: Record<string, Statement> = {
  one: (tx, n) => sql`SELECT ${n}::int AS n`.execute(tx),
  many: (tx, n) => sql`SELECT g, ${n}::int AS n FROM generate_series(1, ${n % 5}::int) g`.execute(tx),
  'no column': (tx, n) => sql`SELECT FROM generate_series(1, ${n % 3}::int)`.execute(tx),
  'a name twice': (tx, n) => sql`SELECT ${n}::int AS n, ${'text'}::text AS n`.execute(tx),
  'without values': (tx) => sql`SELECT count(*)::int AS n FROM kept`.execute(tx),
  insert: (tx, n) => sql`INSERT INTO kept (n) VALUES (${n})`.execute(tx),
  returning: (tx, n) => sql`UPDATE kept SET n = n WHERE n >= ${n} RETURNING n`.execute(tx),
  notice: (tx, n) => sql`SELECT speak(${n}::int)`.execute(tx),
  nothing: (tx) => sql`/* nothing */`.execute(tx),
  'fails when run': (tx) => sql`SELECT 1 / ${0}::int`.execute(tx),
  'fails after rows': (tx, n) =>
    sql`SELECT 1 / (${(n % 4) + 1}::int - g) FROM generate_series(1, 9) g`.execute(tx),
  'cannot be parsed': (tx, n) => sql`SELEKT ${n}::int`.execute(tx),
  'cannot be bound': (tx) => sql`SELECT ${'no number'}::int`.execute(tx),
  'cannot be sent': (tx, n) => sql`SELECT ${n % 2 === 0 ? circular : { n }}::jsonb AS json`.execute(tx),
  'fails at the commit': (tx) => sql`INSERT INTO late (n) VALUES (${7})`.execute(tx),
};
const KINDS = Object.keys(STATEMENTS);

/** Numbers from a seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % sides;
  };
}

function said(result: PromiseSettledResult<unknown>, failedBefore = false): unknown {
  if (result.status === 'fulfilled') return result.value;
  const { code, message } = result.reason as { code?: string; message: string };
  // PostgreSQL parses what follows a failure, up to a point: it may also say that the text is wrong, or that it was not prepared.
  if (failedBefore && code !== undefined) return '25P02';
  return code ?? message.slice(0, 40);
}

/** Runs random transactions and returns the answer of every statement and of every transaction, and what is stored in the end. */
async function answersOf({ database, seed }: Spread): Promise<unknown[]> {
  const { db } = database;
  const roll = dice(seed);
  const answers: unknown[] = [];
  for (let no = 0; no < 60; no++) {
    const attempt = inTransaction(
      db,
      async (tx) => {
        let failed = false;
        for (let group = roll(4); group >= 0; group--) {
          const kinds = Array.from(
            { length: 1 + roll(5) },
            () => KINDS[roll(roll(3) === 0 ? KINDS.length : 8)] ?? '',
          );
          const settled = await Promise.allSettled(
            kinds.map((kind) => STATEMENTS[kind]?.(tx, roll(100)) ?? Promise.reject(new Error(kind))),
          );
          for (const [i, kind] of kinds.entries()) {
            const answer = said(settled[i]!, failed);
            answers.push([no, kind, answer]);
            if (typeof answer === 'string' && kind !== 'cannot be sent') failed = true;
          }
        }
        if (roll(5) === 0) throw new Error('changed its mind');
      },
      { keepPlans: roll(2) === 0, durable: false },
    );
    const [outcome] = await Promise.allSettled([attempt]);
    answers.push(said(outcome!));
    const [after] = await Promise.allSettled([
      sql`SELECT ${no}::int AS no, now() <> ${new Date(0)} AS t`.execute(db),
    ]);
    answers.push(said(after!));
  }
  answers.push((await sql`SELECT n FROM kept ORDER BY n`.execute(db)).rows);
  return answers;
}

/** With one connection; `shares`: whether statements share a Sync. */
async function answers(seed: number, shares: boolean): Promise<unknown[]> {
  await using database = await freshDatabase({ poolSize: 1 });
  const { db, pool } = database;
  await sql`CREATE TABLE kept (n int)`.execute(db);
  await sql`CREATE TABLE late (n int REFERENCES regions (no) DEFERRABLE INITIALLY DEFERRED)`.execute(db);
  await sql`CREATE FUNCTION speak(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'said %', n; RETURN n; END $$`.execute(
    db,
  );
  const client = await pool.connect();
  (client as unknown as PreparingClient).isDirect = shares;
  client.release();
  return await answersOf({ database, seed });
}

for (const seed of [1, 2, 3])
  test(`random transactions get the same answers with shared Syncs (${seed})`, async () => {
    const [shared, each] = [await answers(seed, true), await answers(seed, false)];
    for (const [i, answer] of shared.entries()) assert.deepEqual(answer, each[i], `answer ${i}`);
    assert.equal(shared.length, each.length);
  });
