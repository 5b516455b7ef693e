// The two installations of all walks: one that organizations come from, and one that they move to, with the same people.
import { createUser } from '#src/accounts/create-user.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { PASSWORD, startTestApp, type TestApp } from '../harness/app.ts';
import type { AppOptions } from '../harness/app-options.ts';
import { hashOnce } from '../harness/people.ts';
import { PEOPLE } from './walk.ts';

export type Member = { userId: string; email: string };
export type Stage = AsyncDisposable & {
  app: TestApp;
  /** Has another key. */
  other: TestApp;
  people: readonly Member[];
  /** The ids of the same people at the other one, in that order. */
  there: readonly Member[];
};

/** No job runs but those that a walk runs. */
export const WITHOUT_WORKERS: AppOptions = { roles: ['api', 'ingest', 'pages'] };

/** Starts both, on the cluster of the tests. */
export async function startStage(): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  try {
    const app = stack.use(await startTestApp(WITHOUT_WORKERS));
    const env = { SECRET_KEY: 'quite another key, long enough as well' };
    const other = stack.use(await startTestApp({ ...WITHOUT_WORKERS, clock: app.clock, env }));
    for (const each of [app, other]) await each.region('fra');
    const people = await settle(app);
    return {
      app,
      other,
      people,
      there: await settle(other),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function settle({ db, clock }: TestApp): Promise<Member[]> {
  const people: Member[] = [];
  for (let i = 0; i < PEOPLE; i++) {
    const email = `person-${i}@example.com`;
    const user = {
      email,
      name: `P${i}`,
      passwordHash: await hashOnce(PASSWORD),
      operator: false,
      emailVerified: true,
    };
    people.push({ email, userId: await runWork(db, clock.now(), SYSTEM, (work) => createUser(work, user)) });
  }
  return people;
}
