// Takes walks, each in an organization of its own, on one installation of two servers with its pagers, chat and mail server.
import { startTestApp } from '../harness/app.ts';
import { startMailbox } from '../harness/mailbox.ts';
import { makeJudge } from './judge.ts';
import { startPagers } from './pagers.ts';
import { type Cast, makeScene, type Scene } from './scene.ts';
import { MONITORS, type Walk } from './walk.ts';

export type Stage = AsyncDisposable & Cast;

/** Starts the installation, on the cluster of the tests. */
export async function startStage(): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  try {
    const pagers = await startPagers();
    stack.defer(pagers.stop);
    const mailbox = await startMailbox();
    stack.defer(mailbox.stop);
    const env = { ...pagers.env, SMTP_URL: mailbox.url, MAIL_FROM: 'tocsin@example.com' };
    const app = stack.use(await startTestApp({ env }));
    const second = stack.use(await app.another());
    const people = { carl: await app.person('carl'), ben: await app.person('ben') };
    return { app, second, pagers, mailbox, people, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** How long the last retry takes at most after targets that were down for a walk are up again. */
const RETRIED_WITHIN_SECONDS = 2400;

/** Takes one walk and ends everything; resolves to what was wrong, one sentence each. */
export async function takeWalk(stage: Stage, walk: Walk): Promise<string[]> {
  const judge = makeJudge(stage);
  stage.mailbox.refuse(null);
  let scene: Scene | null = null;
  try {
    scene = await makeScene(stage, walk, judge.look);
    for (const step of walk.steps) {
      await scene.take(step);
      if (judge.wrong.size > 0) return [...judge.wrong];
    }
    const everything = Array.from({ length: MONITORS }, (_, i) => i);
    for (const up of ['pager_up', 'mail_up'] as const) await scene.take({ do: up });
    for (const opsgenie of [false, true]) await scene.take({ do: 'target_on', opsgenie });
    // What waits for a retry arrives while it still matters.
    if (scene.isRetried() || scene.isMailRetried())
      await scene.take({ do: 'wait', seconds: RETRIED_WITHIN_SECONDS });
    await scene.take({ do: 'recover', monitors: everything });
    await scene.resolveAll();
    await scene.take({ do: 'wait', seconds: 7200 });
    await judge.finish(scene);
  } catch (error) {
    judge.wrong.add(String(error instanceof Error ? error.stack : error));
  } finally {
    await scene?.stop();
  }
  return [...judge.wrong];
}
