// What must hold after a race, whoever was first: read over the API where it shows, and from what is stored.
import { sql } from 'kysely';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { OnCallSettings, Roster } from '#src/on-call/contract.ts';
import type { Override } from '#src/on-call/overrides-contract.ts';
import type { Scene } from './scene.ts';

type Open = {
  id: string;
  monitor_id: string | null;
  origin: string;
  enabled: boolean | null;
  needs: boolean;
  rings: boolean;
};

export function makeJudge(scene: Scene) {
  const { app, alice, orgId, url, shop, database, group, project, otherProject } = scene;
  const { db, clock } = app;
  const wrong: string[] = [];

  const monitorsNow = async (): Promise<Monitor[]> => {
    const lists = await Promise.all(
      [project, otherProject].map((id) => alice.send<Monitor[]>('GET', `/projects/${id}/monitors`)),
    );
    return lists.flatMap(({ status, body }) => (status === 200 ? body : []));
  };

  /** Open incidents: whether somebody needs to respond, and whether an alarm runs for them. */
  async function openNow(): Promise<Open[]> {
    const now = clock.now();
    const { rows } = await sql<Open>`
      SELECT i.id, i.monitor_id, i.origin, m.enabled,
        i.acknowledged_at IS NULL AND i.severity <> 'degraded' AND coalesce(i.alarm_held_until <= ${now}, true)
          AND NOT EXISTS (SELECT FROM maintenance_monitors w
            WHERE w.monitor_no = i.monitor_no AND w.starts_at <= ${now} AND w.ends_at > ${now}) AS needs,
        EXISTS (SELECT FROM alarms a WHERE a.ended_at IS NULL AND a.paused_at IS NULL
          AND a.no = (SELECT coalesce(joined_no, no) FROM alarms WHERE no = i.alarm_no)) AS rings
      FROM incidents i LEFT JOIN monitors m ON m.no = i.monitor_no
      WHERE i.org_id = ${orgId} AND i.status = 'open'`.execute(db);
    return rows;
  }

  async function look(when: string): Promise<void> {
    const say = (what: string) => wrong.push(`${when}: ${what}`);
    const [open, monitors] = await Promise.all([openNow(), monitorsNow()]);
    for (const { id, origin, enabled, needs, rings } of open) {
      if (origin === 'automatic' && enabled !== true)
        say(`${id} is open although its monitor is paused or gone`);
      if (needs && !rings) say(`${id} needs somebody and no alarm runs`);
    }
    const { rows: idle } = await sql<{ no: number }>`
      SELECT a.no FROM alarms a WHERE a.org_id = ${orgId} AND a.ended_at IS NULL AND a.paused_at IS NULL AND a.drill_id IS NULL
        AND a.joined_no IS NULL`.execute(db);
    if (idle.length > 0 && !open.some(({ needs }) => needs))
      say('an alarm runs, and nobody needs to respond');
    for (const listed of monitors) {
      const one = await alice.ok<Monitor>('GET', `/monitors/${listed.id}`);
      if (JSON.stringify(one) !== JSON.stringify(listed))
        say(`the list says ${JSON.stringify(listed)}, the monitor ${JSON.stringify(one)}`);
    }
    await lookAtAssignments(say, monitors, open);
    await lookAtPeople(say);
    await lookAtLog(say);
    await lookAtDeliveries(say);
  }

  /** Whoever left, or may no longer be on duty, is not. */
  async function lookAtPeople(say: (what: string) => void): Promise<void> {
    const [members, roster, settings, overrides] = await Promise.all([
      alice.ok<{ user_id: string; role: string }[]>('GET', url('members')),
      alice.ok<Roster>('GET', url('on-call/members')),
      alice.ok<OnCallSettings>('GET', url('on-call/settings')),
      alice.ok<Override[]>('GET', url('on-call/overrides')),
    ]);
    const may = members.filter(({ role }) => role !== 'viewer').map(({ user_id }) => user_id);
    const { manual_duty_user_id: chosen, current_duty_user_id: now } = settings;
    const shifts = overrides
      .filter(({ ends_at_unix }) => ends_at_unix > clock.ms() / 1000)
      .map(({ user_id }) => user_id);
    for (const [what, ids] of Object.entries({
      ...{ roster: roster.members.map(({ user_id }) => user_id), shifts },
      ...{ duty: [chosen, now] },
    }))
      for (const id of ids)
        if (id !== null && !may.includes(id)) say(`${id} is in the ${what}, and no member who can be`);
    const { rows: kept } = await sql<{ id: string }>`
      SELECT id FROM on_call_overrides o WHERE org_id = ${orgId}
        AND NOT EXISTS (SELECT FROM members m WHERE m.org_id = o.org_id AND m.user_id = o.user_id)`.execute(
      db,
    );
    for (const { id } of kept) say(`${id} would be theirs again who left`);
  }

  /** What is deleted is deleted once. */
  async function lookAtLog(say: (what: string) => void): Promise<void> {
    const log = await alice.ok<ActivityEntry[]>('GET', url('activity?limit=1000'));
    const deleted = log
      .filter(({ action }) => /\.(delete|archive|remove|leave)$/.test(action))
      .map(({ action, resource }) => `${action} ${resource.id}`);
    for (const each of new Set(deleted.filter((one, i) => deleted.indexOf(one) < i)))
      say(`the log has more than once: ${each}`);
  }

  /** What waits for its try has somebody to try it, and nothing waits for a target that is off or gone. */
  async function lookAtDeliveries(say: (what: string) => void): Promise<void> {
    await app.runTask('deliver');
    const { rows } = await sql<{ id: string; event: string; active: boolean | null; isQueued: boolean }>`
      SELECT d.id, d.event, t.active, q.seq IS NOT NULL AS "isQueued"
      FROM deliveries d LEFT JOIN delivery_queue q ON q.seq = d.seq LEFT JOIN webhook_targets t ON t.id = d.target_id
      WHERE d.org_id = ${orgId} AND d.state = 'pending'`.execute(db);
    for (const { id, event, active, isQueued } of rows) {
      if (!isQueued) say(`nobody sends ${id} (${event}), which waits`);
      if (active !== true)
        say(`${id} (${event}) waits for a target that is ${active === null ? 'gone' : 'off'}`);
    }
  }

  async function lookAtAssignments(
    say: (what: string) => void,
    monitors: readonly Monitor[],
    open: readonly Open[],
  ): Promise<void> {
    const assigned = new Map(
      (await app.probe().assignments()).monitors.map((each) => [each.monitor_id, each]),
    );
    for (const id of [shop, database]) {
      const monitor = monitors.find((each) => each.id === id);
      const assignment = assigned.get(id);
      if (monitor?.enabled !== true) {
        if (assignment) say(`probes check ${id}, which is paused or gone`);
        continue;
      }
      if (!assignment) {
        say(`no probe checks ${id}`);
        continue;
      }
      // Degraded is either: after an incident that a person closed, streaks begin anew with the next failure.
      if (monitor.last_status === 'degraded' && monitor.confirming === null) continue;
      // A declared incident makes a monitor failed whose checks may all pass.
      if (open.some(({ monitor_id, origin }) => monitor_id === id && origin === 'manual')) continue;
      const isFaster = assignment.interval_seconds < monitor.interval_seconds;
      if (isFaster !== (monitor.last_status !== 'passed'))
        say(`${id} is ${monitor.last_status} and checked every ${assignment.interval_seconds} s`);
      if (JSON.stringify(assignment.config) === '{}') say(`the config of ${id} is empty`);
    }
  }

  async function pass(seconds: number): Promise<void> {
    clock.advance(seconds * 1000);
    await scene.settle();
  }

  /** Whatever exists is switched on, no maintenance and no declared incident is left, and all pass: then nothing is open. */
  async function recover(): Promise<void> {
    for (const monitor of await monitorsNow())
      if (!monitor.enabled) await alice.ok('PATCH', `/monitors/${monitor.id}`, { enabled: true });
    const windows = await alice.ok<MaintenanceWindow[]>('GET', url('maintenance-windows'));
    for (const { id, cancelled } of windows)
      if (!cancelled) await alice.ok('POST', url(`maintenance-windows/${id}/cancel`));
    for (const { id, origin } of await openNow())
      if (origin === 'manual') await alice.ok('POST', url(`incidents/${id}/resolve`));
    for (let round = 0; round < 6; round++) {
      await pass(60);
      for (const { id } of await monitorsNow()) if (id !== group) await scene.says(id, 'up');
      await scene.settle();
    }
    await look('once all passes');
    for (const { id } of await openNow()) wrong.push(`once all passes: ${id} is still open`);
    for (const { name, last_status, config } of await monitorsNow()) {
      const isEmpty = (config as { members?: string[] }).members?.length === 0;
      if (last_status !== (isEmpty ? null : 'passed'))
        wrong.push(`once all passes: ${name} is ${last_status}`);
    }
  }

  /** Then the shop fails again: one incident of its own, and one of the group that it is in. */
  async function failAgain(): Promise<void> {
    const monitors = await monitorsNow();
    if (!monitors.some(({ id }) => id === shop)) return;
    for (let round = 0; round < 6; round++) {
      await pass(60);
      await scene.says(shop, 'down');
      if (monitors.some(({ id }) => id === database)) await scene.says(database, 'up');
      await scene.settle();
    }
    await pass(3_600);
    await look('once the shop fails again');
    const open = (await openNow()).filter(({ origin }) => origin === 'automatic');
    const groupNow = monitors.find(({ id }) => id === group);
    const members = (groupNow?.config as { members?: string[] } | undefined)?.members ?? [];
    const expected = [shop, ...(members.includes(shop) ? [group] : [])].sort();
    const actual = open.map(({ monitor_id }) => monitor_id).sort();
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      wrong.push(`once the shop fails again: incidents of ${actual}, not of ${expected}`);
  }

  return { wrong, look, recover, failAgain };
}
