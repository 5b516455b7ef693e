// Takes walks, each in regions and organizations of its own, on one installation.
import { sql } from 'kysely';
import { makeIncidentJudge } from './judge-incidents.ts';
import { makeOperatorJudge } from './judge-operator.ts';
import { makePeopleJudge } from './judge-people.ts';
import { makeShownJudge } from './judge-shown.ts';
import { makeScene, type Scene } from './scene.ts';
import type { Stage } from './stage.ts';
import { MONITORS, type Walk } from './walk.ts';

/** Everything works again, and is known to, within this. */
const END_SECONDS = 100;
/** What waits for the next try of a mail that was refused waits no longer (`PAUSES_MS` of notices, with what they differ by chance). */
const TRIES_SECONDS = 1200;

/** Takes one walk; resolves to what was wrong, one sentence each. */
export async function takeWalk(stage: Stage, walk: Walk): Promise<string[]> {
  const wrong = new Set<string>();
  const operator = makeOperatorJudge(stage, wrong);
  const people = makePeopleJudge(stage, wrong);
  const incidents = makeIncidentJudge(stage, wrong);
  const shown = makeShownJudge(stage, wrong);
  stage.mailbox.refuse(null);
  try {
    const scene = await makeScene(stage, walk, async (its, whole) => {
      await shown.look(its, whole);
      await operator.look(its, whole);
      await people.look(its);
      await incidents.look(its, whole);
    });
    await scene.take({ do: 'wait', seconds: 20 });
    for (const step of walk.steps) {
      await scene.take(step);
      if (wrong.size > 0) break;
    }
    if (wrong.size === 0) await endWell(scene, people.isMailWaiting);
    if (wrong.size === 0) await people.finish();
  } catch (error) {
    wrong.add(String(error instanceof Error ? error.stack : error));
  }
  await clear(stage);
  return [...wrong];
}

/** Everything works again, for long enough that every mail about it is due. */
async function endWell({ facts, take }: Scene, isMailWaiting: () => Promise<boolean>): Promise<void> {
  await take({ do: 'mail_up' });
  await take({ do: 'host', works: true });
  for (const probe of facts.probes.keys()) {
    await take({ do: 'admit', probe });
    await take({ do: 'probe', probe, mode: 'works' });
  }
  for (let monitor = 0; monitor < MONITORS; monitor++) await take({ do: 'hinder', monitor, on: false });
  await take({ do: 'wait', seconds: END_SECONDS });
  if (await isMailWaiting()) await take({ do: 'wait', seconds: TRIES_SECONDS });
}

/** No trouble of one walk is left to the next. */
async function clear({ app, mailbox }: Stage): Promise<void> {
  mailbox.received.length = 0;
  await sql`DELETE FROM monitors`.execute(app.db);
  await sql`DELETE FROM assignments`.execute(app.db);
  await sql`DELETE FROM agents`.execute(app.db);
  await sql`DELETE FROM probes`.execute(app.db);
  await sql`UPDATE regions SET probe_seen_at = NULL`.execute(app.db);
  await sql`DELETE FROM troubles`.execute(app.db);
  await sql`DELETE FROM notices`.execute(app.db);
}
