import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { freshDatabase } from '#test/harness/database.ts';
import { afterCommit, canFollow, follow, runWork, SYSTEM, type Work } from './work.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const ignore = () => undefined;

/** Writes down what is done; `seen` answers what others see of it. */
async function notebook() {
  const database = await freshDatabase();
  const { db } = database;
  await sql`CREATE TABLE notes (no int GENERATED ALWAYS AS IDENTITY, text text)`.execute(db);
  const note = async ({ tx }: Work, text: string) => {
    await sql`INSERT INTO notes (text) VALUES (${text})`.execute(tx);
  };
  const seen = async () => {
    const { rows } = await sql<{ text: string }>`SELECT text FROM notes ORDER BY no`.execute(db);
    return rows.map(({ text }) => text);
  };
  return { db, note, seen, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

test('what follows runs behind the commit, with the same instant, before the work is done', async () => {
  await using book = await notebook();
  const order: unknown[] = [];
  const done = await runWork(
    book.db,
    NOW,
    SYSTEM,
    async (work) => {
      await book.note(work, 'first');
      afterCommit(work, () => order.push('committed'));
      follow(work, async (next) => {
        order.push(next.now, next.actor, await book.seen());
        await book.note(next, 'second');
      });
      return 'result';
    },
    { onFollowFailed: ignore },
  );
  assert.equal(done, 'result');
  assert.deepEqual(order, ['committed', NOW, SYSTEM, ['first']]);
  assert.deepEqual(await book.seen(), ['first', 'second']);
});

test('nothing follows work that is rolled back', async () => {
  await using book = await notebook();
  const attempt = runWork(
    book.db,
    NOW,
    SYSTEM,
    async (work) => {
      follow(work, (next) => book.note(next, 'second'));
      throw new Error('no');
    },
    { onFollowFailed: ignore },
  );
  await assert.rejects(attempt, /no/);
  assert.deepEqual(await book.seen(), []);
});

test('if what follows fails, it is rolled back and reported; the work before it stays, and the next part runs', async () => {
  await using book = await notebook();
  const failures: unknown[] = [];
  await runWork(
    book.db,
    NOW,
    SYSTEM,
    async (work) => {
      await book.note(work, 'first');
      follow(work, async (next) => {
        await book.note(next, 'half');
        throw new Error('failed');
      });
      follow(work, (next) => book.note(next, 'third'));
    },
    { onFollowFailed: (error) => failures.push((error as Error).message) },
  );
  assert.deepEqual(failures, ['failed']);
  assert.deepEqual(await book.seen(), ['first', 'third']);
});

test('where nothing may follow, nothing can, and what follows is itself whole', async () => {
  await using book = await notebook();
  const answers: boolean[] = [];
  await runWork(book.db, NOW, SYSTEM, async (work) => {
    answers.push(canFollow(work));
    assert.throws(() => follow(work, async () => undefined));
  });
  const inTwo = async (work: Work) => {
    answers.push(canFollow(work));
    follow(work, async (next) => void answers.push(canFollow(next)));
  };
  await runWork(book.db, NOW, SYSTEM, inTwo, { onFollowFailed: ignore });
  assert.deepEqual(answers, [false, true, false]);
});
