// Takes the steps of a walk at once: each begins when the one before waits for a lock, and none is committed before all have begun.
import { sql } from 'kysely';
import { type Person, startTestApp, type TestApp } from '../harness/app.ts';
import type { Answer } from '../harness/client.ts';
import { until } from '../harness/until.ts';
import { waitingStatements } from '../harness/waiting.ts';
import { ACTS } from './acts.ts';
import { makeJudge } from './judge.ts';
import { makeScene, type Scene } from './scene.ts';
import type { Walk } from './walk.ts';

export type Stage = { app: TestApp; anna: Person } & AsyncDisposable;

export async function startStage(): Promise<Stage> {
  const app = await startTestApp();
  return { ...(await prepareStage(app)), [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

export async function prepareStage(app: TestApp): Promise<{ app: TestApp; anna: Person }> {
  await app.runTask('partitions');
  return { app, anna: await app.person('anna') };
}

/** Takes one walk; resolves to what was wrong, one sentence each. */
export async function takeWalk({ app, anna }: Pick<Stage, 'app' | 'anna'>, walk: Walk): Promise<string[]> {
  try {
    const before = await deadlocks(app);
    const scene = await makeScene(app, anna, walk.beginning);
    const answers = await race(scene, walk.steps);
    const { wrong, ...judge } = makeJudge(scene);
    for (const [i, { status, body }] of answers.entries())
      if (status >= 500 || status === 429) wrong.push(`${walk.steps[i]}: ${status} ${JSON.stringify(body)}`);
    await scene.settle();
    await judge.look('at once');
    await judge.recover();
    await judge.failAgain();
    if ((await deadlocks(app)) > before)
      wrong.push('PostgreSQL found a deadlock, in this walk or in one just before');
    return wrong;
  } catch (error) {
    return [String(error instanceof Error ? error.stack : error)];
  }
}

/** Nearly every write ends with the row of its organization. Whoever holds it keeps them all from being committed. */
async function race({ app, orgId, ...scene }: Scene, steps: Walk['steps']): Promise<Answer[]> {
  const begun: Promise<Answer>[] = [];
  await app.db.transaction().execute(async (holder) => {
    await sql`SELECT FROM organizations WHERE id = ${orgId} FOR NO KEY UPDATE`.execute(holder);
    for (const step of steps) {
      const waitingBefore = await waitingStatements(app.db);
      let isDone = false;
      const answer = ACTS[step]({ app, orgId, ...scene }).finally(() => {
        isDone = true;
      });
      begun.push(answer);
      // An organization has a few connections at most: a further call waits in the server.
      await until(
        async () => isDone || (await waitingStatements(app.db)) > waitingBefore,
        'a lock',
        2000,
      ).catch(() => {});
    }
  });
  return Promise.all(begun);
}

async function deadlocks(app: TestApp): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`
    SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`.execute(app.db);
  return rows[0]?.deadlocks ?? 0;
}
