// What must hold at every moment of a walk, recomputed from the incidents, the holds and the windows alone
// (docs/rules/notifications.md#storms, docs/rules/on-call-and-alarms.md).
import { sql } from 'kysely';
import type { Ringing } from '#src/on-call/contract.ts';
import { makeConcerns } from './concerns.ts';
import { type Incident, type Moment, readIncidents } from './incidents.ts';
import { type Judged, judgeEnd } from './judge-end.ts';
import { makePageJudge } from './judge-pages.ts';
import type { Scene } from './scene.ts';

/** A step of an alarm may be so late. */
const LATE_MS = 1_000;

/** Follows a walk. `look` is called when something may have changed; `wrong` has what must not be, one sentence each. */
export function makeJudge(judged: Judged) {
  const { app, pagers } = judged;
  const wrong = new Set<string>();
  const pageJudges = new Map<string, ReturnType<typeof makePageJudge>>();
  const concerns = makeConcerns();
  /** Since when somebody needs to respond, by incident. */
  let neededSince = new Map<string, number>();
  let before: Moment['before'] = { incidents: [], needing: new Set() };

  async function look(scene: Scene): Promise<void> {
    const atMs = app.clock.ms();
    const incidents = await readIncidents(app, scene.orgId);
    concerns.note(incidents, scene.targets, scene.concerned);
    const isQuiet = ({ degraded, heldUntil, monitor_id }: Incident) =>
      degraded || (heldUntil !== null && heldUntil.getTime() > atMs) || scene.isCovered(monitor_id);
    const needs = incidents.filter((one) => one.open && !one.acknowledged && !isQuiet(one));
    const needing = new Set(needs.map(({ id }) => id));
    neededSince = new Map([...needing].map((id) => [id, neededSince.get(id) ?? atMs]));
    await judgeRinging(scene, needing);
    await judgeMails(scene, needing);
    judgePages(scene, { atMs, incidents, needing, before });
    judgeHooks(scene, incidents);
    before = { incidents, needing };
  }

  /** What somebody needs to respond to rings for everybody whom its alarm has reached by now, and nothing else rings. */
  async function judgeRinging({ reached, url }: Scene, needing: ReadonlySet<string>): Promise<void> {
    for (const { person, afterSeconds } of reached) {
      const ringing = await person.ok<Ringing[]>('GET', url('on-call/ringing'));
      const rings = new Set(ringing.map(({ incident_id }) => incident_id));
      for (const id of rings)
        if (!needing.has(id)) wrong.add(`${id} rings for ${person.email} although nobody needs to respond`);
      for (const id of needing) {
        const forMs = app.clock.ms() - (neededSince.get(id) ?? 0);
        const isReached = afterSeconds === 0 || forMs > afterSeconds * 1000 + LATE_MS;
        if (isReached && !rings.has(id))
          wrong.add(`${id} needs somebody and does not ring for ${person.email}`);
      }
    }
  }

  function judgePages(scene: Scene, { incidents, before, ...moment }: Moment): void {
    const { orgId, pagerduty, opsgenie, state, isRetried, wasReplayed } = scene;
    for (const { id, name, credential, on, events } of [pagerduty, opsgenie]) {
      const judge = pageJudges.get(name) ?? makePageJudge(name, orgId, wrong);
      pageJudges.set(name, judge);
      const own = concerns.of(id);
      const concerned = (incident: Incident) => own.has(incident.id);
      judge.look(
        pagers.pages(credential),
        {
          ...moment,
          incidents: incidents.filter(concerned),
          needing: moment.needing.intersection(own),
          before: { ...before, incidents: before.incidents.filter(concerned) },
        },
        {
          isOff: !on || (state.turned && id === pagerduty.id),
          ...{ isRetried: isRetried(), mixed: state.mixed },
          ...{ gets: (event) => events.has(event), wasReplayed: (key) => wasReplayed(id, key) },
        },
      );
    }
  }

  /** A webhook knows at once what is open and what is over, unless it refused a message or a server died with it. */
  function judgeHooks({ targets, isRetried }: Scene, incidents: readonly Incident[]): void {
    if (isRetried()) return;
    for (const { id, name, family, credential } of targets) {
      if (family !== 'webhook') continue;
      const got = new Set(pagers.events(credential).map(({ event, incidentId }) => `${event} ${incidentId}`));
      for (const incident of incidents.filter((one) => concerns.of(id).has(one.id)))
        for (const event of incident.open ? ['opened'] : ['opened', 'resolved'])
          if (!got.has(`${event} ${incident.id}`))
            wrong.add(`${name}: it did not get ${event} of ${incident.id}`);
    }
  }

  /** What somebody needs to respond to was mailed to everybody whom its alarm has mailed by now. */
  async function judgeMails({ reached, isMailRetried }: Scene, needing: ReadonlySet<string>): Promise<void> {
    if (isMailRetried()) return;
    const { rows } = await sql<{ id: string; userId: string }>`
      SELECT i.id, n.user_id AS "userId" FROM incidents i
      JOIN alarms a ON a.no = i.alarm_no OR a.joined_no = i.alarm_no JOIN notices n ON n.alarm_no = a.no
      WHERE i.id = ANY(${[...needing]}::text[]) AND n.channel = 'mail' AND n.state IN ('sent', 'failed')`.execute(
      app.db,
    );
    const mailed = new Set(rows.map(({ id, userId }) => `${id} ${userId}`));
    for (const { person, mailedAfterSeconds } of reached)
      for (const id of needing) {
        const forMs = app.clock.ms() - (neededSince.get(id) ?? 0);
        if (forMs > mailedAfterSeconds * 1000 + LATE_MS && !mailed.has(`${id} ${person.userId}`))
          wrong.add(`${id} needs somebody and was not mailed to ${person.email}`);
      }
  }

  /** At the end, when everything is over and nothing waits. */
  const finish = (scene: Scene) => judgeEnd(judged, scene, concerns, wrong);

  return { look, finish, wrong };
}
