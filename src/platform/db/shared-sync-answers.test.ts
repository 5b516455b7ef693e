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
  'several segments': (tx, n) =>
    sql`SELECT g, nullif(g % 2, 0) AS odd, repeat('x', ${n}::int) AS text, ARRAY[g::bigint, NULL] AS list
      FROM generate_series(1, 2000) g`.execute(tx),
  'copies out': (tx) => sql`COPY kept TO STDOUT`.execute(tx),
  'fails when run': (tx) => sql`SELECT 1 / ${0}::int`.execute(tx),
  'fails after rows': (tx, n) =>
    sql`SELECT 1 / (${(n % 4) + 1}::int - g) FROM generate_series(1, 9) g`.execute(tx),
  'no such table': (tx, n) => sql`SELECT n FROM missing WHERE n = ${n}`.execute(tx),
  'cannot be parsed': (tx, n) => sql`SELEKT ${n}::int`.execute(tx),
  'cannot be bound': (tx) => sql`SELECT ${'no number'}::int`.execute(tx),
  'cannot be sent': (tx, n) => sql`SELECT ${n % 2 === 0 ? circular : { n }}::jsonb AS json`.execute(tx),
  'cannot be read': (tx, n) =>
    sql`SELECT ${n % 2 === 0 ? '9223372036854775807' : '7'}::bigint AS n`.execute(tx),
  'fails at the commit': (tx) => sql`INSERT INTO late (n) VALUES (${7})`.execute(tx),
};
const KINDS = Object.keys(STATEMENTS);

/** PostgreSQL knows nothing of these failures. */
const UNKNOWN = new Set(['cannot be sent', 'cannot be read']);

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
  const committed: unknown[] = [];
  for (let no = 0; no < 60; no++) {
    const issued: [kind: string, answer: Promise<unknown>][] = [];
    const attempt = inTransaction(
      db,
      async (tx) => {
        // With the begin and the first statements.
        issued.push(['begun', sql`INSERT INTO begun (no) VALUES (${no})`.execute(tx)]);
        for (let group = roll(4); group >= 0; group--) {
          const kinds = Array.from(
            { length: 1 + roll(5) },
            () => KINDS[roll(roll(3) === 0 ? KINDS.length : 9)] ?? '',
          );
          for (const kind of kinds)
            issued.push([kind, STATEMENTS[kind]?.(tx, roll(100)) ?? Promise.reject(new Error(kind))]);
          const answered = Promise.allSettled(issued.map(([, answer]) => answer));
          // The next group, or the commit, follows with a Sync of its own, or with the same one, before the answers.
          const waits = kinds.includes('cannot be read') ? 0 : roll(4);
          if (waits < 2) await answered;
          else if (waits === 2) await new Promise<void>((resolve) => process.nextTick(resolve));
        }
        if (roll(5) === 0) throw new Error('changed its mind');
      },
      { keepPlans: roll(2) === 0, durable: false },
    );
    const [outcome] = await Promise.allSettled([attempt]);
    let failed = false;
    for (const [i, each] of (await Promise.allSettled(issued.map(([, answer]) => answer))).entries()) {
      const kind = issued[i]?.[0] ?? '';
      const answer = said(each, failed);
      answers.push([no, kind, answer]);
      if (typeof answer === 'string' && !UNKNOWN.has(kind)) failed = true;
    }
    answers.push(said(outcome!));
    if (outcome?.status === 'fulfilled') committed.push({ no });
    const [after] = await Promise.allSettled([
      sql`SELECT ${no}::int AS no, now() <> ${new Date(0)} AS t`.execute(db),
    ]);
    answers.push(said(after!));
  }
  answers.push((await sql`SELECT n FROM kept ORDER BY n`.execute(db)).rows);
  // Committed when it resolves, rolled back when it throws.
  assert.deepEqual((await sql`SELECT no FROM begun ORDER BY no`.execute(db)).rows, committed);
  return answers;
}

/** With one connection; `shares`: whether statements share a Sync. */
async function answers(seed: number, shares: boolean): Promise<unknown[]> {
  await using database = await freshDatabase({ poolSize: 1 });
  const { db, pool } = database;
  await sql`CREATE TABLE kept (n int)`.execute(db);
  await sql`CREATE TABLE begun (no int)`.execute(db);
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
