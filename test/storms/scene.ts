// An organization whose monitors go through a walk: its steps become requests and results, and time passes from one due moment to
// the next, so that nothing happens later than on a running server.
import { sql } from 'kysely';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { forgetOldGroupKeys } from '#src/notifications/purge.ts';
import type { Person, TestApp } from '../harness/app.ts';
import { resultOf } from '../harness/probe.ts';
import { until } from '../harness/until.ts';
import type { Pagers } from './pagers.ts';
import { MONITORS, type Single, type Step, type Walk } from './walk.ts';

const EVENTS = ['opened', 'escalated', 'acknowledged', 'resolved', 'updated', 'discarded'];

type Window = { id: string; monitorIds: readonly string[]; untilMs: number };

export type Scene = Awaited<ReturnType<typeof makeScene>>;

/**
 * Makes the organization. Alice, its owner, is whom alarms reach, alone on duty or because on-call is off; `doer` acknowledges and
 * holds. `look` is called whenever something may have changed.
 */
export async function makeScene(
  app: TestApp,
  pagers: Pagers,
  doer: Person,
  { onCall, degraded }: Walk,
  look: (scene: Scene) => Promise<void>,
) {
  const { orgId, projectId } = await app.place(app.alice, 'business');
  await app.db
    .insertInto('members')
    .values({ org_id: orgId, user_id: doer.userId, role: 'manager', joined_at: app.clock.now() })
    .execute();
  const url = (path: string) => `/organizations/${orgId}/${path}`;
  if (onCall) {
    await app.alice.ok('PUT', url('on-call/settings'), { enabled: true, timezone: 'UTC' });
    const members = [{ position: 0, user_id: app.alice.userId }];
    await app.alice.ok('PUT', url('on-call/members'), { members });
  }
  const credential = orgId
    .replaceAll(/[^a-zA-Z0-9]/g, '')
    .padEnd(32, '0')
    .slice(-32);
  const pager = await app.alice.ok<WebhookTarget>('POST', url('webhooks'), {
    ...{ name: 'Pager', kind: 'pagerduty', credential, events: EVENTS },
  });
  await app.alice.ok('POST', url('webhooks'), {
    ...{ name: 'Chat', kind: 'slack', url: pagers.chatUrl(credential), events: EVENTS },
  });
  await app.alice.ok('POST', url('webhooks'), {
    ...{ name: 'Hook', kind: 'webhook', url: pagers.hookUrl(credential), events: EVENTS },
  });
  const monitors: Monitor[] = [];
  for (let i = 0; i < MONITORS; i++)
    monitors.push(
      await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
        name: `Page ${i}`,
        type: 'http',
        config: { url: `https://shop.example.com/${i}` },
        interval_seconds: 10,
        ...(degraded && i === MONITORS - 1 ? { severity: 'degraded' } : {}),
      }),
    );
  const removed = new Set<number>();
  const windows: Window[] = [];
  /** `mixed`: several things happened at this moment, in an order that nobody knows; `turned`: the target went on or off among them. */
  const state = { pagerUp: true, on: true, mixed: false, turned: false };

  const left = (some: readonly number[]) => some.filter((i) => !removed.has(i)).map((i) => monitors[i]!);
  const isCovered = (monitorId: string) =>
    windows.some(({ monitorIds, untilMs }) => monitorIds.includes(monitorId) && untilMs > app.clock.ms());

  const report = (status: 'up' | 'down', some: readonly Monitor[]) =>
    app.probe().post(some.map(({ id }) => resultOf(id, app.clock.ms(), status)));

  /** What another request has made impossible meanwhile is refused; a failure of the server is not expected. */
  async function ask(person: Person, method: string, path: string, body?: object): Promise<void> {
    const { status } = await person.send(method, path, body);
    if (status >= 500) throw new Error(`${method} ${path} answered ${status}`);
  }

  /** The newest incident of a monitor. */
  async function newest(monitor: number): Promise<{ id: string; status: string } | undefined> {
    const id = monitors[monitor]?.id ?? '';
    return app.db
      .selectFrom('incidents')
      .select(['id', 'status'])
      .where('monitor_id', '=', id)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** Lets everything happen that is due now. */
  async function settle(): Promise<void> {
    await app.runTask('deliver');
    await app.runTask('notices');
    await until(async () => {
      const { rows } =
        await sql`SELECT FROM notices WHERE org_id = ${orgId} AND leased_until > ${app.clock.now()} LIMIT 1`.execute(
          app.db,
        );
      return rows.length === 0;
    }, 'nothing is being sent');
    await look(scene);
  }

  /** When the next thing is due, up to `untilMs`. */
  async function nextDueMs(untilMs: number): Promise<number> {
    const now = app.clock.now();
    const { rows } = await sql<{ at: Date | null }>`
      SELECT min(at) AS at FROM (
        SELECT next_attempt_at AS at FROM delivery_queue WHERE org_id = ${orgId} AND next_attempt_at < 'infinity'
        UNION ALL SELECT next_attempt_at FROM notices WHERE org_id = ${orgId} AND state = 'pending'
        UNION ALL SELECT alarm_held_until FROM incidents WHERE org_id = ${orgId} AND status = 'open'
        UNION ALL SELECT scheduled_end FROM maintenance_windows WHERE org_id = ${orgId} AND ended_at IS NULL AND cancelled_at IS NULL
        UNION ALL SELECT s.due_at FROM alarm_steps s JOIN alarms a ON a.no = s.alarm_no
          WHERE a.org_id = ${orgId} AND s.done_at IS NULL AND a.ended_at IS NULL AND a.paused_at IS NULL
      ) due WHERE at > ${now}`.execute(app.db);
    return Math.min(untilMs, rows[0]?.at?.getTime() ?? untilMs);
  }

  /** What the stored jobs would do now. */
  async function runJobs(): Promise<void> {
    for (const { id } of windows.filter(({ untilMs }) => untilMs <= app.clock.ms()))
      await app.runTask('maintenance', { window_id: id });
    const held = await app.db
      .selectFrom('incidents')
      .select('id')
      .where('org_id', '=', orgId)
      .where('alarm_held_until', '<=', app.clock.now())
      .execute();
    for (const { id } of held) await app.runTask('end_hold', { incident_id: id });
    const running = await app.db
      .selectFrom('alarms')
      .select('no')
      .where('org_id', '=', orgId)
      .where('ended_at', 'is', null)
      .execute();
    for (const { no } of running) await app.runTask('alarm', { alarm_no: no });
    for (let i = windows.length - 1; i >= 0; i--)
      if (windows[i]!.untilMs <= app.clock.ms()) windows.splice(i, 1);
  }

  /** Lets time pass, one due moment after the other. */
  async function pass(seconds: number): Promise<void> {
    const untilMs = app.clock.ms() + seconds * 1000;
    while (app.clock.ms() < untilMs) {
      app.clock.advance((await nextDueMs(untilMs)) - app.clock.ms());
      await runJobs();
      await settle();
    }
  }

  /** Two results decide; this reports the first. */
  async function prepare(step: Single): Promise<void> {
    if (step.do !== 'fail' && step.do !== 'recover') return;
    await pass(1);
    await report(step.do === 'fail' ? 'down' : 'up', left(step.monitors));
    await settle();
    await pass(1);
  }

  async function act(step: Single): Promise<void> {
    switch (step.do) {
      case 'fail':
      case 'recover':
        await report(step.do === 'fail' ? 'down' : 'up', left(step.monitors));
        return;
      case 'wait':
        return pass(step.seconds);
      case 'acknowledge': {
        const incident = await newest(step.monitor);
        if (incident)
          await ask(doer, 'POST', url(`incidents/${incident.id}/ack${step.group ? '?group=true' : ''}`));
        return;
      }
      case 'hold': {
        const incident = await newest(step.monitor);
        if (incident?.status === 'open')
          await ask(doer, 'POST', url(`incidents/${incident.id}/hold`), { seconds: step.seconds });
        return;
      }
      case 'discard': {
        const incident = await newest(step.monitor);
        if (incident?.status === 'closed')
          await ask(doer, 'POST', url(`incidents/${incident.id}/discard`), {});
        return;
      }
      case 'delete':
        removed.add(step.monitor);
        return ask(doer, 'DELETE', `/monitors/${monitors[step.monitor]?.id}`);
      case 'maintain': {
        const monitorIds = left(step.monitors).map(({ id }) => id);
        if (monitorIds.length === 0) return;
        const start = Math.floor(app.clock.ms() / 1000);
        const { status, body } = await app.alice.send<MaintenanceWindow>('POST', url('maintenance-windows'), {
          title: 'Upgrade',
          scheduled_start: start,
          scheduled_end: start + step.seconds,
          monitors: monitorIds,
        });
        if (status === 201 || status === 200)
          windows.push({ id: body.id, monitorIds, untilMs: (start + step.seconds) * 1000 });
        return;
      }
      case 'end_maintenance': {
        const window = windows.shift();
        if (window) await ask(app.alice, 'DELETE', url(`maintenance-windows/${window.id}`));
        return;
      }
      case 'pager_down':
      case 'pager_up':
        state.pagerUp = step.do === 'pager_up';
        pagers.refuse(credential, !state.pagerUp);
        return;
      case 'target_off':
      case 'target_on': {
        const active = step.do === 'target_on';
        if (active === state.on) return;
        // Whoever looks meanwhile expects nothing of a target that is half off.
        state.on = false;
        await ask(app.alice, 'PATCH', url(`webhooks/${pager.id}`), { active });
        state.on = active;
        return;
      }
      case 'sweep':
        return forgetOldGroupKeys(app.db, new Date(app.clock.ms() - 2 * 86_400_000));
    }
  }

  /** Takes a step, and lets everything happen that follows from it now. */
  async function take(step: Step): Promise<void> {
    const steps = step.do === 'together' ? step.steps : [step];
    for (const each of steps) await prepare(each);
    state.mixed = steps.length > 1;
    state.turned = state.mixed && steps.some((each) => each.do === 'target_on' || each.do === 'target_off');
    await Promise.all(steps.map(act));
    await settle();
    Object.assign(state, { mixed: false, turned: false });
  }

  const isRemoved = (name: string) => [...removed].some((i) => monitors[i]?.name === name);
  const scene = { orgId, pagerId: pager.id, credential, state, url, isCovered, isRemoved, take, pass };
  return scene;
}
