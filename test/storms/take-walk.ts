// Takes walks, each in an organization of its own, on one installation with its pager, chat and mail server.
import { type Person, startTestApp, type TestApp } from '../harness/app.ts';
import { startMailbox } from '../harness/mailbox.ts';
import { makeJudge } from './judge.ts';
import { type Pagers, startPagers } from './pagers.ts';
import { makeScene } from './scene.ts';
import { MONITORS, type Walk } from './walk.ts';

export type Stage = AsyncDisposable & { app: TestApp; pagers: Pagers; doer: Person };

/** Starts the installation, on the cluster of the tests. */
export async function startStage(): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  try {
    const pagers = await startPagers();
    stack.defer(pagers.stop);
    const mailbox = await startMailbox();
    stack.defer(mailbox.stop);
    const app = stack.use(
      await startTestApp({
        env: {
          PAGERDUTY_URL: pagers.pagerdutyUrl,
          CHAT_WEBHOOK_HOSTS: pagers.chatHost,
          SMTP_URL: mailbox.url,
          MAIL_FROM: 'tocsin@example.com',
        },
      }),
    );
    const doer = await app.person('ben');
    return { app, pagers, doer, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Takes one walk and ends everything; resolves to what was wrong, one sentence each. */
export async function takeWalk({ app, pagers, doer }: Stage, walk: Walk): Promise<string[]> {
  const judge = makeJudge(app, pagers);
  const scene = await makeScene(app, pagers, doer, walk, judge.look);
  try {
    for (const step of walk.steps) {
      await scene.take(step);
      if (judge.wrong.size > 0) return [...judge.wrong];
    }
    const everything = Array.from({ length: MONITORS }, (_, i) => i);
    await scene.take({ do: 'pager_up' });
    await scene.take({ do: 'target_on' });
    await scene.take({ do: 'recover', monitors: everything });
    await scene.pass(7200);
    await judge.finish(scene);
  } catch (error) {
    judge.wrong.add(String(error));
  }
  return [...judge.wrong];
}
