// What must hold at the end of a walk, when everything is over and nothing waits: whoever was notified of a beginning was notified of
// its end, and who must not be notified was not.
import { sql } from 'kysely';
import type { TestApp } from '../harness/app.ts';
import { type Incident, readIncidents } from './incidents.ts';
import type { Event, Pagers, Post } from './pagers.ts';
import type { Scene } from './scene.ts';

/** `concerns`: whether the filter of a target let an incident through when it opened, or any of a monitor. */
export async function judgeEnd(
  app: TestApp,
  pagers: Pagers,
  scene: Scene,
  concerns: (targetId: string, id: string) => boolean,
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
  for (const { id, name, family, credential } of targets) {
    const say = (what: string) => wrong.add(`${name}: ${what}`);
    const concerned = (one: Incident) => concerns(id, one.id);
    if (family === 'webhook')
      judgeHook(pagers.events(credential), incidents, concerned, scene.sentAgain, say);
    if (family !== 'chat') continue;
    const never = scene.monitors.filter((monitor) => !concerns(id, monitor.id));
    judgeChat(pagers.posts(credential), new Set(never.map(({ name }) => name)), scene.isRemoved, say);
  }
}

/** Whoever was mailed about an alarm is mailed how it ended, once. The person who ends alarms is not. */
async function judgeMails(app: TestApp, { orgId, reached, doer }: Scene, wrong: Set<string>): Promise<void> {
  const { rows } = await sql<{ userId: string; kind: string; alarmNo: number; stage: string; state: string }>`
    SELECT n.user_id AS "userId", n.kind, coalesce(a.joined_no, n.alarm_no) AS "alarmNo", n.data ->> 'stage' AS stage, n.state
    FROM notices n JOIN alarms a ON a.no = n.alarm_no
    WHERE n.org_id = ${orgId} AND n.channel = 'mail' ORDER BY n.no`.execute(app.db);
  for (const { person } of reached) {
    if (person === doer) continue;
    const mails = rows.filter(({ userId }) => userId === person.userId);
    for (const [alarmNo, own] of Map.groupBy(mails, (each) => each.alarmNo)) {
      const isEnd = (kind: string) => kind === 'alarm_resolved' || kind === 'alarm_acknowledged';
      const sent = own.filter(({ state }) => state === 'sent');
      const ends = sent.filter(({ kind }) => isEnd(kind));
      // A mail server that is down for an hour has cost the person the end.
      const wasTried = own.some(({ kind, state }) => isEnd(kind) && state === 'failed');
      const wasMailed = sent.length > ends.length;
      const who = person.email;
      if (wasMailed && ends.length === 0 && !wasTried)
        wrong.add(`${who} was not mailed how the alarm ${alarmNo} ended`);
      if (!wasMailed && ends.length > 0)
        wrong.add(`${who} was mailed the end of the alarm ${alarmNo}, and not its start`);
      if (ends.filter(({ stage }) => stage !== 'storm').length > 1)
        wrong.add(`${who} was mailed the end of the alarm ${alarmNo} twice`);
    }
  }
}

/** Whoever reads the chat from the end must not take anything for open. `never`: monitors that do not concern it. */
function judgeChat(
  posts: readonly Post[],
  never: ReadonlySet<string>,
  isRemoved: Scene['isRemoved'],
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
    if (i > lastStorm && !/(Resolved|False alarm): /.test(headlines[i] ?? '') && !isRemoved(name))
      say(`it was last notified of ${name}: ${headlines[i]}`);
  for (const name of never)
    if (posts.some(({ whole }) => whole.includes(name)))
      say(`${name} does not concern it, and it was notified`);
}

/** A webhook gets every event of every incident that concerns it, in order, and once unless a server died with it. */
function judgeHook(
  events: readonly Event[],
  incidents: readonly Incident[],
  concerned: (incident: Incident) => boolean,
  sentAgain: ReadonlySet<string>,
  say: (what: string) => void,
): void {
  for (const [id, same] of Map.groupBy(events, (each) => each.id))
    if (same.length > 1 && !sentAgain.has(id))
      say(`it got ${same[0]?.event} of ${same[0]?.incidentId} twice`);
  for (const incident of incidents) {
    const own = events.filter(({ incidentId }) => incidentId === incident.id);
    const once = own.filter(
      ({ id, event }, i) => id !== own[i - 1]?.id && event !== 'escalated' && event !== 'updated',
    );
    const got = once.map(({ event }) => event).join(' ');
    const expected = concerned(incident) ? /^opened( acknowledged)? resolved( discarded)?$/ : /^$/;
    if (!expected.test(got)) say(`it got ${got || 'nothing'} about ${incident.id}`);
  }
}
