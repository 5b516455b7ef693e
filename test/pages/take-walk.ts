// Takes walks, each in an organization of its own, on a server that works no stored jobs: the walk does, when they are due.
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Received } from '../harness/mailbox.ts';
import { makeComparison, takeSteps } from '../simulation/turns.ts';
import { makeActs } from './acts.ts';
import { wordsInOrder } from './mail-oracle.ts';
import { INTERVAL, makeOracle } from './oracle.ts';
import type { Stage } from './stage.ts';
import { makeVisits, textsIn } from './visit.ts';
import { MONITORS, PAGES, type Step, type Walk } from './walk.ts';

/** Ahead of the machine's clock, by which the database stores jobs that are due at once. And beyond the hour of a client's requests. */
const AHEAD_MS = 3_700_000;
/** A region is offline when its probe is silent for thirty seconds, or delivers no results. */
const KEPT_ALIVE_MS = 20_000;
/** Events are mailed so long after the first, and a page is read again a second after the last time. */
const JUDGED_MS = 2_000;
/** After so long a page that somebody looks at has new figures. */
const FIGURES_SECONDS = 60;
/** What must be mailed, from its subject or its text. */
const KINDS =
  /New incident|Update on an incident|Incident resolved|Maintenance (?:planned|changed|cancelled|started|ended)|No longer affects|Affects/g;

/** Takes one walk; resolves to what was wrong, one sentence each. */
export const takeWalk = (stage: Stage, walk: Walk): Promise<string[]> =>
  takeSteps(() => makeScene(stage), walk.steps);

async function makeScene({ app, mailbox, stayOnline }: Stage) {
  const { alice, clock } = app;
  mailbox.refuse(null);
  clock.advance(AHEAD_MS + 1000 - (clock.ms() % 1000));
  await app.runTask('partitions');
  const { orgId, projectId } = await app.place(alice, 'unlimited');
  const now = () => Math.floor(clock.ms() / 1000);
  let texts = 0;
  /** What somebody writes: never the same twice, so that it is known wherever it is shown. */
  const text = () => {
    texts += 1;
    return `Zq${String(texts).padStart(4, '0')}q`;
  };
  const tag = Math.random().toString(36).slice(2, 10);
  const slug = () => text().toLowerCase().replace('zq', `s-${tag}-`);
  const addressOf = (reader: number) => `reader${reader}-${tag}@example.org`;
  const names = {
    monitors: Array.from({ length: MONITORS }, text),
    projects: [text(), text()] as [string, string],
  };
  const oracle = makeOracle(names, now());
  await alice.ok('PATCH', `/projects/${projectId}`, { name: names.projects[0] });
  const attic = { name: names.projects[1] };
  const other = await alice.ok<{ id: string }>('POST', `/organizations/${orgId}/projects`, attic);
  const ids: string[] = [];
  for (const name of names.monitors) {
    const { id } = await alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
      ...{
        name,
        type: 'http',
        config: { url: `https://${text()}.example.com/` },
        interval_seconds: INTERVAL,
      },
      policy: { alarm_consecutive: 1, recovery_consecutive: 1 },
    });
    ids.push(id);
  }
  const found: string[] = [];
  const projects = [projectId, other.id] as const;
  const acts = makeActs({ app, mailbox, oracle, orgId, projects, ids, text, slug, addressOf, now, found });
  for (let page = 0; page < PAGES; page++) await acts.newPage(page, slug());
  await stayOnline();
  const visit = makeVisits(app, oracle, ids);
  let areFiguresNew = false;

  async function runOne(tasks: readonly string[], key = ''): Promise<boolean> {
    const { rows } = await sql<{ task: string; payload: Record<string, unknown> }>`
      WITH due AS (
        SELECT id, task_identifier AS task FROM graphile_worker.jobs
        WHERE task_identifier = ANY(${tasks}::text[]) AND (${key} = '' OR key = ${key}) AND run_at <= ${clock.now()} ORDER BY id LIMIT 1
      ), gone AS (DELETE FROM graphile_worker._private_jobs p USING due WHERE p.id = due.id RETURNING p.payload, due.task)
      SELECT task, payload FROM gone`.execute(app.db);
    for (const { task, payload } of rows) await app.runTask(task, payload);
    return rows.length > 0;
  }
  async function runJobs(): Promise<void> {
    while (await runOne(['confirm', 'group', 'status_page_tags']));
    await acts.learnIncidents();
  }

  async function turnWindows(): Promise<void> {
    for (const { id, start, end } of oracle.windows)
      if (start <= now() || end <= now()) await app.runTask('maintenance', { window_id: id });
    oracle.tick(now());
    await runJobs();
  }

  /** Sends what is due, and compares it with what must be. */
  async function mail(): Promise<void> {
    for (const page of oracle.mails.due(now()))
      await runOne(['mail_subscribers'], `mail_subscribers:${page.id}`);
    mailbox.received.length = 0;
    await app.runTask('page_mails');
    const must = oracle.mails.send(now());
    const { wrong, compare } = makeComparison(app);
    // Mails of earlier walks may still be tried again.
    const received = mailbox.received.filter(({ recipients }) => recipients.join().includes(tag));
    const said = received.map((each) => `${each.recipients.join()}: ${saysOf(each)}`);
    compare('mails', said.toSorted(), must.map(({ to, says }) => `${addressOf(to.reader)}: ${says}`).sort());
    found.push(...wrong);
    for (const each of received) {
      const at = must.findIndex(
        ({ to, says }) => each.recipients[0] === addressOf(to.reader) && says === saysOf(each),
      );
      const [expected] = at < 0 ? [] : must.splice(at, 1);
      if (expected) acts.keepLinks(expected.to, each);
    }
  }

  async function passUntil(ms: number): Promise<void> {
    while (clock.ms() < ms) {
      const turn = Math.min(...oracle.turns(now())) * 1000;
      clock.advance(Math.min(ms, turn, clock.ms() + KEPT_ALIVE_MS) - clock.ms());
      await stayOnline();
      if (clock.ms() === turn) await turnWindows();
      await mail();
    }
  }

  async function take(step: Step): Promise<void> {
    areFiguresNew = step.do === 'wait' && step.seconds > FIGURES_SECONDS;
    if (step.do === 'wait') return passUntil(clock.ms() + step.seconds * 1000);
    await passUntil(clock.ms() + 1000);
    for (const act of step.acts) {
      await acts.act(act);
      await runJobs();
    }
    await passUntil(clock.ms() + JUDGED_MS);
  }

  async function judge(): Promise<string[]> {
    // What nobody expects to be mailed.
    const { rows } = await sql<{ key: string }>`
      SELECT key FROM graphile_worker.jobs WHERE task_identifier = 'mail_subscribers'`.execute(app.db);
    for (const { key } of rows) {
      const page = oracle.pages.find(({ id }) => key === `mail_subscribers:${id}`);
      if (page && !oracle.mails.waits(page)) await runOne(['mail_subscribers'], key);
    }
    await mail();
    const { wrong, compare } = makeComparison(app);
    for (const page of oracle.pages) if (!page.archived) await visit(page, compare, now(), areFiguresNew);
    return [...found, ...wrong];
  }

  return { take, judge };
}

/** What a mail says, as the oracle says it. */
function saysOf({ mail }: Received): string {
  const [subject, text] = [mail.subject ?? '', mail.text ?? ''];
  const hidden = textsIn(mail.html ?? '').filter((each) => !textsIn(text).includes(each));
  const request = /^(Confirm|Your subscription)/.exec(subject)?.[1];
  const kinds = request === undefined ? (text.match(KINDS) ?? []) : [request];
  return wordsInOrder([
    ...kinds,
    ...textsIn(`${subject} ${text}`).map((each) => each.replace('z', 'Z')),
    ...hidden,
  ]);
}
