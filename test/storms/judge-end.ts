// What must hold at the end of a walk, when everything is over and nothing waits: whoever was notified of a beginning was notified of
// its end, and who must not be notified was not.
import { sql } from 'kysely';
import type { TestApp } from '../harness/app.ts';
import type { Mailbox } from '../harness/mailbox.ts';
import type { Concerns } from './concerns.ts';
import { type Incident, readIncidents } from './incidents.ts';
import type { Event, Pagers, Post } from './pagers.ts';
import type { Scene } from './scene.ts';

/** The installation that is judged, and what its messages reach. */
export type Judged = { app: TestApp; pagers: Pagers; mailbox: Mailbox };

export async function judgeEnd(
  { app, pagers, mailbox }: Judged,
  scene: Scene,
  concerns: Concerns,
  wrong: Set<string>,
): Promise<void> {
  const { orgId, targets } = scene;
  const incidents = await readIncidents(app, orgId);
  for (const { id, open } of incidents) if (open) wrong.add(`${id} is still open`);
  const { rows: waiting } = await sql<{ event: string }>`
    SELECT o.event FROM delivery_queue q JOIN outbox o ON o.id = q.event_id AND o.created_at = q.created_at
    WHERE q.org_id = ${orgId}`.execute(app.db);
  for (const { event } of waiting) wrong.add(`a delivery of ${event} waits for ever`);
  const { rows: running } = await sql<{ no: number }>`
    SELECT no FROM alarms WHERE org_id = ${orgId} AND ended_at IS NULL`.execute(app.db);
  for (const { no } of running) wrong.add(`the alarm ${no} never ended`);
  await judgeMails(app, scene, wrong);
  await judgeArrivals(app, mailbox, scene, wrong);
  for (const { id, name, family, credential } of targets) {
    const say = (what: string) => wrong.add(`${name}: ${what}`);
    const own = incidents.filter((one) => concerns.of(id).has(one.id));
    if (family === 'webhook')
      judgeHook(pagers.events(credential), incidents, new Set(own), scene.sentAgain, say);
    if (family !== 'chat') continue;
    // Nobody has seen an incident of a monitor that was deleted at the moment when it opened.
    const never = scene.monitors.filter(
      (monitor) => !concerns.of(id).has(monitor.id) && !scene.isRemoved(monitor.name),
    );
    const replayed = new Set(own.filter((one) => scene.wasReplayed(id, one.id)).map((one) => one.monitor_id));
    // A person who has the beginning sent again has read the end.
    const isUnclear = (name: string) =>
      scene.isRemoved(name) || scene.monitors.some((each) => each.name === name && replayed.has(each.id));
    judgeChat(
      pagers.posts(credential),
      never.map(({ name }) => name),
      isUnclear,
      say,
    );
  }
}

/** A notice by mail; `alarmNo`: the alarm that has taken over its own, if one has. */
type MailNotice = { no: number; userId: string; kind: string; alarmNo: number; stage: string; state: string };

/** Whoever was mailed about an alarm is mailed how it ended, once. The person who ends alarms is not. */
async function judgeMails(
  app: TestApp,
  { orgId, reached, doer, mailedAgain }: Scene,
  wrong: Set<string>,
): Promise<void> {
  const { rows } = await sql<MailNotice>`
    SELECT n.no, n.user_id AS "userId", n.kind, coalesce(a.joined_no, n.alarm_no) AS "alarmNo", n.data ->> 'stage' AS stage, n.state
    FROM notices n JOIN alarms a ON a.no = n.alarm_no
    WHERE n.org_id = ${orgId} AND n.channel = 'mail' ORDER BY n.no`.execute(app.db);
  for (const { person } of reached) {
    if (person === doer) continue;
    const mails = rows.filter(({ userId }) => userId === person.userId);
    for (const [alarmNo, own] of Map.groupBy(mails, (each) => each.alarmNo)) {
      const isEnd = ({ kind }: MailNotice) => kind === 'alarm_resolved' || kind === 'alarm_acknowledged';
      // A mail that arrived when its server died is not sent again once the alarm is over.
      const sent = own.filter(({ no, state }) => state === 'sent' || (mailedAgain.get(no) ?? 0) > 0);
      const ends = sent.filter(isEnd);
      // A mail server that is down for an hour has cost the person the end.
      const wasTried = own.some((each) => isEnd(each) && each.state === 'failed');
      const wasMailed = sent.length > ends.length;
      // Nobody knows whether a mail has arrived whose server died with it.
      const mayBeMailed = wasMailed || own.some((each) => !isEnd(each) && mailedAgain.has(each.no));
      const who = person.email;
      if (wasMailed && ends.length === 0 && !wasTried)
        wrong.add(`${who} was not mailed how the alarm ${alarmNo} ended`);
      if (!mayBeMailed && ends.length > 0)
        wrong.add(`${who} was mailed the end of the alarm ${alarmNo}, and not its start`);
      if (ends.filter(({ stage }) => stage !== 'storm').length > 1)
        wrong.add(`${who} was mailed the end of the alarm ${alarmNo} twice`);
    }
  }
}

/** A mail that counts as sent has arrived, and once unless a server died with it or was late. */
async function judgeArrivals(
  app: TestApp,
  mailbox: Mailbox,
  { orgId, reached, mailedAgain, isOwnMail }: Scene,
  wrong: Set<string>,
): Promise<void> {
  const { rows: notices } = await sql<{ no: number; userId: string; state: string }>`
    SELECT no, user_id AS "userId", state FROM notices WHERE org_id = ${orgId} AND channel = 'mail'`.execute(
    app.db,
  );
  for (const { no, state } of notices) if (state === 'pending') wrong.add(`the mail ${no} waits for ever`);
  for (const { person } of reached) {
    const own = notices.filter(({ userId }) => userId === person.userId);
    const arrived = mailbox.received.filter(
      ({ recipients, mail }) => recipients.includes(person.email) && isOwnMail(mail),
    );
    const different = new Set(arrived.map(({ mail }) => mail.messageId));
    const again = own.map(({ no }) => mailedAgain.get(no) ?? 0);
    const expected = own.filter(({ state }, i) => state === 'sent' || (again[i] ?? 0) > 0).length;
    const mayComeAgain = again.reduce((sum, times) => sum + times, 0);
    if (different.size !== expected)
      wrong.add(`${person.email} got ${different.size} different mails, and ${expected} count as sent`);
    if (arrived.length - different.size > mayComeAgain)
      wrong.add(`${person.email} got ${arrived.length - different.size} mails twice, not ${mayComeAgain}`);
  }
}

/**
 * Whoever reads the chat from the end must not take anything for open. `never`: monitors that do not concern it; `isUnclear`: the
 * last message about a monitor need not say how it is.
 */
function judgeChat(
  posts: readonly Post[],
  never: readonly string[],
  isUnclear: (monitor: string) => boolean,
  say: (what: string) => void,
): void {
  const headlines = posts.map(({ headline }) => headline);
  // "After the alarm storm": what began again was over again before a message said so.
  const lastStorm = headlines.findLastIndex((each) => /alarm storm/i.test(each));
  if (lastStorm >= 0 && !/^(🟢|⚪)/u.test(headlines[lastStorm] ?? ''))
    say(`it was last notified of a storm: ${headlines[lastStorm]}`);
  const lastOf = new Map(
    headlines.flatMap((each, i) => (each.includes('Note: ') ? [] : [[each.replace(/^.*?: /, ''), i]])),
  );
  for (const [name, i] of lastOf)
    if (i > lastStorm && !/(Resolved|False alarm): /.test(headlines[i] ?? '') && !isUnclear(name))
      say(`it was last notified of ${name}: ${headlines[i]}`);
  for (const name of never)
    if (posts.some(({ whole }) => whole.includes(name)))
      say(`${name} does not concern it, and it was notified`);
}

/**
 * A webhook gets every event of every incident that concerns it, in order, and once unless a server died with it or was late, or
 * somebody replayed it.
 */
function judgeHook(
  events: readonly Event[],
  incidents: readonly Incident[],
  concerned: ReadonlySet<Incident>,
  sentAgain: ReadonlySet<string>,
  say: (what: string) => void,
): void {
  for (const [id, same] of Map.groupBy(events, (each) => each.id))
    if (same.length > 1 && !sentAgain.has(id))
      say(`it got ${same[0]?.event} of ${same[0]?.incidentId} twice`);
  for (const incident of incidents) {
    const own = events.filter(({ incidentId }) => incidentId === incident.id);
    const once = own.filter(
      ({ id, event }, i) =>
        own.findIndex((each) => each.id === id) === i && event !== 'escalated' && event !== 'updated',
    );
    const got = once.map(({ event }) => event).join(' ');
    const expected = concerned.has(incident) ? /^opened( acknowledged)? resolved( discarded)?$/ : /^$/;
    if (!expected.test(got)) say(`it got ${got || 'nothing'} about ${incident.id}`);
  }
}
