// Takes walks, each in regions and organizations of its own, on one installation.
import { sql } from 'kysely';
import { makeOperatorJudge } from './judge-operator.ts';
import { makeShownJudge } from './judge-shown.ts';
import { makeScene } from './scene.ts';
import type { Stage } from './stage.ts';
import type { Walk } from './walk.ts';

/** Takes one walk; resolves to what was wrong, one sentence each. */
export async function takeWalk(stage: Stage, walk: Walk): Promise<string[]> {
  const wrong = new Set<string>();
  const operator = makeOperatorJudge(stage, wrong);
  const shown = makeShownJudge(stage, wrong);
  stage.mailbox.refuse(null);
  try {
    const scene = await makeScene(stage, walk, async (its, whole) => {
      await shown.look(its, whole);
      await operator.look(its);
    });
    await scene.take({ do: 'wait', seconds: 20 });
    for (const step of walk.steps) {
      await scene.take(step);
      if (wrong.size > 0) break;
    }
  } catch (error) {
    wrong.add(String(error instanceof Error ? error.stack : error));
  }
  await clear(stage);
  return [...wrong];
}

/** No trouble of one walk is left to the next. */
async function clear({ app, mailbox }: Stage): Promise<void> {
  mailbox.received.length = 0;
  await sql`DELETE FROM monitors`.execute(app.db);
  await sql`DELETE FROM probes`.execute(app.db);
  await sql`DELETE FROM troubles`.execute(app.db);
  await sql`DELETE FROM notices`.execute(app.db);
}
