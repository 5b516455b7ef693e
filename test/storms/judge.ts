// What must hold at every moment of a walk, recomputed from the incidents, the holds and the windows alone
// (docs/rules/notifications.md#storms, docs/rules/on-call-and-alarms.md).
import { sql } from 'kysely';
import type { Ringing } from '#src/on-call/contract.ts';
import type { TestApp } from '../harness/app.ts';
import type { Event, Pagers } from './pagers.ts';
import type { Scene } from './scene.ts';

/** Tocsin gathers the incidents of a storm for so long. */
const GATHERED_MS = 6_000;
/** Messages about a storm are so far apart. */
const APART_MS = 62_000;

type Incident = {
  id: string;
  monitor_id: string;
  open: boolean;
  acknowledged: boolean;
  degraded: boolean;
  heldUntil: Date | null;
  alarmNo: number | null;
};

type Alert = 'triggered' | 'acknowledged' | 'resolved';

/** Follows a walk. `look` is called when something may have changed; `wrong` has what must not be, one sentence each. */
export function makeJudge(app: TestApp, pagers: Pagers) {
  const wrong = new Set<string>();
  const alerts = new Map<string, Alert>();
  /** Since when something is as it should not stay. */
  const since = new Map<string, number>();
  /** Incidents and pages of the time in which the target was off. */
  const missed = new Set<string>();
  let seen = 0;
  let lastPageMs = Number.NEGATIVE_INFINITY;
  let needing = new Set<string>();
  let before: readonly Incident[] = [];

  async function read(orgId: string): Promise<Incident[]> {
    const { rows } = await sql<Incident>`
      SELECT id, monitor_id, status = 'open' AS open, acknowledged_at IS NOT NULL AS acknowledged,
        severity = 'degraded' AS degraded, alarm_held_until AS "heldUntil", alarm_no AS "alarmNo"
      FROM incidents WHERE org_id = ${orgId} ORDER BY created_at, id`.execute(app.db);
    return rows;
  }

  /** How long, in milliseconds, it has been as `what` says; 0 if it is not so. */
  function lasts(what: string, isSo: boolean): number {
    if (!isSo) {
      since.delete(what);
      return 0;
    }
    const from = since.get(what) ?? app.clock.ms();
    since.set(what, from);
    return app.clock.ms() - from;
  }

  async function look(scene: Scene): Promise<void> {
    const { orgId, credential, state } = scene;
    const incidents = await read(orgId);
    const isQuiet = ({ degraded, heldUntil, monitor_id }: Incident) =>
      degraded || (heldUntil !== null && heldUntil.getTime() > app.clock.ms()) || scene.isCovered(monitor_id);
    const needs = incidents.filter((one) => one.open && !one.acknowledged && !isQuiet(one));
    const neededBefore = needing;
    needing = new Set(needs.map(({ id }) => id));
    const keysOf = ({ id, alarmNo }: Incident) => [id, `group:${orgId}:${alarmNo}`];

    const ringing = await app.alice.ok<Ringing[]>('GET', scene.url('on-call/ringing'));
    const rings = new Set(ringing.map(({ incident_id }) => incident_id));
    for (const id of needing) if (!rings.has(id)) wrong.add(`${id} needs somebody and does not ring`);
    for (const id of rings) if (!needing.has(id)) wrong.add(`${id} rings although nobody needs to respond`);

    // What arrived since: a page that wakes people must be about something that needs somebody.
    for (const { action, key } of pagers.pages(credential).slice(seen)) {
      seen += 1;
      lastPageMs = app.clock.ms();
      const was = alerts.get(key) ?? 'resolved';
      if (action === 'trigger') {
        const own = [...incidents, ...before].filter((one) => keysOf(one).includes(key));
        const wakes = was === 'resolved';
        if (wakes && !state.mixed && !own.some(({ id }) => needing.has(id) || neededBefore.has(id)))
          wrong.add(`${key} was triggered although nobody needs to respond to it`);
        alerts.set(key, was === 'acknowledged' ? was : 'triggered');
      } else if (was !== 'resolved') alerts.set(key, action === 'resolve' ? 'resolved' : 'acknowledged');
    }

    const { rows: retrying } =
      await sql`SELECT FROM delivery_queue WHERE target_id = ${scene.pagerId} AND attempts > 0 LIMIT 1`.execute(
        app.db,
      );
    const excused = !state.on || !state.pagerUp || retrying.length > 0;
    for (const one of needs) {
      const paged = keysOf(one).some((key) => alerts.get(key) === 'triggered');
      const forMs = lasts(`${one.id} unpaged`, !paged && !excused && !missed.has(one.id));
      // A storm that has just paged for something else waits for the minute.
      const isLate = forMs > GATHERED_MS && app.clock.ms() - lastPageMs > APART_MS;
      if (isLate)
        wrong.add(
          `${one.id} needs somebody, and no page of it is open (${keysOf(one)
            .map((key) => `${key} ${alerts.get(key)}`)
            .join(', ')})`,
        );
    }
    for (const [key, is] of alerts) {
      const own = incidents.filter((one) => keysOf(one).includes(key));
      const open = own.filter((one) => one.open);
      const unacknowledged = open.filter((one) => !one.acknowledged);
      const excuse = excused || missed.has(key);
      if (lasts(`${key} stale`, is !== 'resolved' && open.length === 0 && !excuse) > APART_MS)
        wrong.add(`the page ${key} is ${is}, and no incident of it is open`);
      if (
        lasts(
          `${key} calls`,
          is === 'triggered' && open.length > 0 && unacknowledged.length === 0 && !excuse,
        ) > APART_MS
      )
        wrong.add(`the page ${key} still calls, and all its incidents are acknowledged`);
    }
    // A target that is switched on again starts with new events.
    if (!state.on || state.turned) {
      for (const { id, open } of incidents) if (open) missed.add(id);
      for (const [key, is] of alerts) if (is !== 'resolved') missed.add(key);
    }
    before = incidents;
  }
  /** At the end, when everything is over and nothing waits. */
  async function finish(scene: Scene): Promise<void> {
    const { orgId, credential } = scene;
    const incidents = await read(orgId);
    for (const { id, open } of incidents) if (open) wrong.add(`${id} is still open`);
    const { rows: waiting } = await sql<{ event: string }>`
      SELECT o.event FROM delivery_queue q JOIN outbox o ON o.id = q.event_id AND o.created_at = q.created_at
      WHERE q.org_id = ${orgId}`.execute(app.db);
    for (const { event } of waiting) wrong.add(`a delivery of ${event} waits for ever`);
    const { rows: running } = await sql<{ no: number }>`
      SELECT no FROM alarms WHERE org_id = ${orgId} AND ended_at IS NULL`.execute(app.db);
    for (const { no } of running) wrong.add(`the alarm ${no} never ended`);
    const { rows: mails } = await sql<{ kind: string; alarmNo: number; stage: string; state: string }>`
      SELECT n.kind, coalesce(a.joined_no, n.alarm_no) AS "alarmNo", n.data ->> 'stage' AS stage, n.state
      FROM notices n JOIN alarms a ON a.no = n.alarm_no
      WHERE n.org_id = ${orgId} AND n.user_id = ${app.alice.userId} AND n.channel = 'mail' ORDER BY n.no`.execute(
      app.db,
    );
    for (const [alarmNo, own] of Map.groupBy(mails, (each) => each.alarmNo)) {
      const wasMailed = own.some(({ kind, state }) => kind === 'alarm' && state === 'sent');
      const ends = own.filter(
        ({ kind, state }) => state === 'sent' && (kind === 'alarm_resolved' || kind === 'alarm_acknowledged'),
      );
      if (wasMailed && ends.length === 0) wrong.add(`nobody was mailed how the alarm ${alarmNo} ended`);
      if (!wasMailed && ends.length > 0)
        wrong.add(`the end of the alarm ${alarmNo} was mailed, its start was not`);
      if (ends.filter(({ stage }) => stage !== 'storm').length > 1)
        wrong.add(`the end of the alarm ${alarmNo} was mailed twice`);
    }
    judgeChat(pagers.headlines(credential), scene.isRemoved);
    judgeHooks(pagers.events(credential), incidents);
  }

  /** Whoever reads the chat from the end must not take anything for open. */
  function judgeChat(headlines: readonly string[], isRemoved: Scene['isRemoved']): void {
    const lastStorm = headlines.findLastIndex((each) => each.includes('Alarm storm'));
    if (lastStorm >= 0 && !headlines[lastStorm]?.startsWith('🟢'))
      wrong.add(`the chat last said of a storm: ${headlines[lastStorm]}`);
    const lastOf = new Map(headlines.map((each, i) => [each.replace(/^.*?: /, ''), i]));
    for (const [name, i] of lastOf)
      if (headlines[i]?.includes('Down: ') && i > lastStorm && !isRemoved(name))
        wrong.add(`the chat last said of ${name}: ${headlines[i]}`);
  }

  /** A webhook gets every event of every incident, once and in order. */
  function judgeHooks(events: readonly Event[], incidents: readonly Incident[]): void {
    const ids = new Set(events.map(({ id }) => id));
    if (ids.size < events.length) wrong.add('the webhook got an event twice');
    for (const { id } of incidents) {
      const own = events.filter(({ incidentId }) => incidentId === id).map(({ event }) => event);
      if (
        !/^opened( acknowledged)? resolved( discarded)?$/.test(
          own.filter((each) => each !== 'escalated').join(' '),
        )
      )
        wrong.add(`the webhook got ${own.join(', ') || 'nothing'} about ${id}`);
    }
  }

  return { look, finish, wrong };
}
