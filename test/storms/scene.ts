// The scene of a walk: its steps become requests and results, at either of two servers.
import { sql } from 'kysely';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { forgetOldGroupKeys } from '#src/notifications/purge.ts';
import type { Person, TestApp } from '../harness/app.ts';
import { makeClient } from '../harness/client.ts';
import type { Mailbox } from '../harness/mailbox.ts';
import { type Probe, resultOf } from '../harness/probe.ts';
import { readIncidents } from './incidents.ts';
import type { Pagers } from './pagers.ts';
import { makePlace, type People, type Target } from './place.ts';
import { makeTime, type Window } from './time.ts';
import type { Single, Step, Walk } from './walk.ts';

/** A server beside the first one. */
export type Second = { url: string; probe: () => Probe };
export type Cast = { app: TestApp; second: Second; pagers: Pagers; mailbox: Mailbox; people: People };

export type Scene = Awaited<ReturnType<typeof makeScene>>;

/** Makes the organization. `look` is called whenever something may have changed. */
export async function makeScene(
  { app, second, pagers, mailbox, people }: Cast,
  walk: Walk,
  look: (scene: Scene) => Promise<void>,
) {
  const place = await makePlace(app, pagers, people, walk);
  const { url, monitors, targets, pagerduty, opsgenie, doer } = place;
  const windows: Window[] = [];
  const time = makeTime({ app, pagers, mailbox }, place, windows, () => look(scene));
  const removed = new Set<number>();
  /** Targets and incidents of which a delivery was replayed. */
  const replayed = new Set<string>();
  /**
   * `mixed`: several things happened at this moment, in an order that nobody knows; `turned`: PagerDuty went on or off among
   * them.
   */
  const state = { mixed: false, turned: false };

  const left = (some: readonly number[]) => some.filter((i) => !removed.has(i)).map((i) => monitors[i]!);
  const isCovered = (monitorId: string) =>
    windows.some(({ monitorIds, untilMs }) => monitorIds.includes(monitorId) && untilMs > app.clock.ms());
  const isRemoved = (name: string) => [...removed].some((i) => monitors[i]?.name === name);

  const report = (status: 'up' | 'down', some: readonly Monitor[], atSecond: boolean) =>
    (atSecond ? second : app).probe().post(some.map(({ id }) => resultOf(id, app.clock.ms(), status)));

  /** What another request has made impossible meanwhile is refused; a failure of the server is not expected. */
  async function ask(person: Person, step: Single, method: string, path: string, body?: object) {
    const client = step.second ? makeClient(second.url, { cookie: person.cookie() }) : person;
    const answer = await client.send<{ id: string }>(method, path, body);
    if (answer.status >= 500 || answer.status === 401)
      throw new Error(`${method} ${path} answered ${answer.status}`);
    return answer;
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

  /** Lets a second pass where the order matters. Two results decide; this reports the first, to the other server. */
  async function prepare(step: Single): Promise<void> {
    // What opens after a target has gone off does so later.
    if (step.do === 'declare') await time.pass(1);
    if (step.do !== 'fail' && step.do !== 'recover') return;
    await time.pass(1);
    await report(step.do === 'fail' ? 'down' : 'up', left(step.monitors), !step.second);
    await time.settle();
    await time.pass(1);
  }

  const NO_FILTER = { project_ids: [], tags: [], min_severity: 'degraded' };

  async function turnFilter(target: Target): Promise<void> {
    target.filters = !target.filters;
    const { id, filter, filters } = target;
    await app.alice.ok('PATCH', url(`webhooks/${id}`), filters ? filter : NO_FILTER);
  }

  /** Replays one of the newest deliveries of a target. Whoever gets it may have it already. */
  async function replay(step: Extract<Single, { do: 'replay' }>): Promise<void> {
    const { id } = targets[step.target % targets.length]!;
    const { rows } = await sql<{ id: string; eventId: string; event: string; incidentId: string }>`
      SELECT d.id, d.event_id AS "eventId", d.event, o.incident_id AS "incidentId" FROM deliveries d
      JOIN outbox o ON o.id = d.event_id AND o.created_at = d.created_at
      WHERE d.target_id = ${id} ORDER BY d.seq DESC LIMIT 10`.execute(app.db);
    const delivery = rows[step.delivery % rows.length];
    if (!delivery) return;
    time.sentAgain.add(delivery.eventId);
    replayed.add(`${id} ${delivery.incidentId}`);
    await ask(app.alice, step, 'POST', url(`webhooks/${id}/deliveries/${delivery.id}/replay`));
  }

  async function act(step: Single): Promise<unknown> {
    switch (step.do) {
      case 'fail':
      case 'recover':
        return report(step.do === 'fail' ? 'down' : 'up', left(step.monitors), step.second ?? false);
      case 'wait':
        return time.pass(step.seconds);
      case 'acknowledge': {
        const incident = await newest(step.monitor);
        const query = step.group ? '?group=true' : '';
        return incident && ask(doer, step, 'POST', url(`incidents/${incident.id}/ack${query}`));
      }
      case 'hold': {
        const incident = await newest(step.monitor);
        const { seconds } = step;
        if (incident?.status !== 'open') return;
        return ask(doer, step, 'POST', url(`incidents/${incident.id}/hold`), { seconds });
      }
      case 'declare': {
        const { id = null, name = '', severity } = left([step.monitor])[0] ?? {};
        const body = { monitor_id: id, severity, cause: `${name} is slow` };
        return id && ask(doer, step, 'POST', url('incidents'), body);
      }
      case 'note': {
        const incident = await newest(step.monitor);
        const body = { body: 'We look at it.', kind: 'note', visibility: 'internal' };
        return incident && ask(doer, step, 'POST', url(`incidents/${incident.id}/notes`), body);
      }
      case 'resolve': {
        const incident = await newest(step.monitor);
        return incident && ask(doer, step, 'POST', url(`incidents/${incident.id}/resolve`));
      }
      case 'discard': {
        const incident = await newest(step.monitor);
        if (incident?.status !== 'closed') return;
        return ask(doer, step, 'POST', url(`incidents/${incident.id}/discard`), {});
      }
      case 'delete':
        removed.add(step.monitor);
        return ask(doer, step, 'DELETE', `/monitors/${monitors[step.monitor]?.id}`);
      case 'tag':
        return Promise.all(left([step.monitor]).map((monitor) => place.tag?.(monitor)));
      case 'maintain': {
        const monitorIds = left(step.monitors).map(({ id }) => id);
        if (monitorIds.length === 0) return;
        const start = Math.floor(app.clock.ms() / 1000);
        const { status, body } = await ask(app.alice, step, 'POST', url('maintenance-windows'), {
          title: 'Upgrade',
          scheduled_start: start,
          scheduled_end: start + step.seconds,
          monitors: monitorIds,
        } satisfies Partial<Record<keyof MaintenanceWindow, unknown>>);
        if (status === 201 || status === 200)
          windows.push({ id: body.id, monitorIds, untilMs: (start + step.seconds) * 1000 });
        return;
      }
      case 'end_maintenance': {
        const window = windows.shift();
        return window && ask(app.alice, step, 'DELETE', url(`maintenance-windows/${window.id}`));
      }
      case 'pager_down':
      case 'pager_up':
        return time.turnTargets(step.do === 'pager_up');
      case 'mail_down':
      case 'mail_up':
        return time.turnMail(step.do === 'mail_up');
      case 'die':
        return time.interrupt({ arrive: step.arrive, lateMs: null });
      case 'be_late':
        return time.interrupt({ arrive: step.arrive, lateMs: step.seconds * 1000 });
      case 'die_mailing':
        return time.interruptMail({ arrive: step.arrive, lateMs: null });
      case 'be_late_mailing':
        return time.interruptMail({ arrive: step.arrive, lateMs: step.seconds * 1000 });
      case 'replay':
        return replay(step);
      case 'filter':
        for (const target of targets) if (target.filter) await turnFilter(target);
        return;
      case 'subscribe': {
        const { id, events } = step.opsgenie ? opsgenie : pagerduty;
        if (!events.delete(step.event)) events.add(step.event);
        return app.alice.ok('PATCH', url(`webhooks/${id}`), { events: [...events] });
      }
      case 'target_off':
      case 'target_on': {
        const active = step.do === 'target_on';
        const target = step.opsgenie ? opsgenie : pagerduty;
        if (active === target.on) return;
        // Whoever looks meanwhile expects nothing of a target that is half off.
        target.on = false;
        await ask(app.alice, step, 'PATCH', url(`webhooks/${target.id}`), { active });
        target.on = active;
        return;
      }
      case 'sweep':
        return forgetOldGroupKeys(app.db, new Date(app.clock.ms() - 2 * 86_400_000));
    }
  }

  /** Closes what is open, as monitors that recover do not close what a person has declared. */
  async function resolveAll(): Promise<void> {
    for (const { id, open } of await readIncidents(app, place.orgId))
      if (open) await doer.ok('POST', url(`incidents/${id}/resolve`));
    await time.settle();
  }

  /** Takes a step, and lets everything happen that follows from it now. */
  async function take(step: Step): Promise<void> {
    const steps = step.do === 'together' ? step.steps : [step];
    for (const each of steps) await prepare(each);
    state.mixed = steps.length > 1;
    state.turned = state.mixed && steps.some((each) => each.do === 'target_on' || each.do === 'target_off');
    await Promise.all(steps.map(act));
    await time.settle();
    Object.assign(state, { mixed: false, turned: false });
  }

  const wasReplayed = (targetId: string, incidentId: string) => replayed.has(`${targetId} ${incidentId}`);
  const scene = { ...place, ...time, state, isCovered, isRemoved, take, resolveAll, wasReplayed };
  return scene;
}
