// The scene of a walk: its steps become requests, and time passes in turns of the servers.
import { sql } from 'kysely';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import { until } from '../harness/until.ts';
import {
  type Facts,
  HOST,
  type MonitorFacts,
  noteAdmission,
  noteCheck,
  noteRemoved,
  noteTurn,
} from './facts.ts';
import { makePlace, usualTimeoutOf, type WalkedMonitor } from './place.ts';
import { makeRunner } from './probes.ts';
import type { Stage } from './stage.ts';
import type { Step, Walk } from './walk.ts';

/** An agent reports so often (docs/rules/monitor-types.md#intervals-of-agents). */
const BEATS_MS = 60_000;
/** No longer: heartbeats that are expected after a longer pause of the servers are excused. */
const TURN_MS = 5_000;

type Window = { id: string; of: MonitorFacts; untilMs: number };

export type Scene = Awaited<ReturnType<typeof makeScene>>;

/** `look` is called after every turn of a server; `whole`: at the end of a step. */
export async function makeScene(
  stage: Stage,
  walk: Walk,
  look: (scene: Scene, whole: boolean) => Promise<void>,
) {
  const { app, mailbox } = stage;
  const { clock } = app;
  const place = await makePlace(stage, walk);
  const { probes, monitors } = place;
  const runners = probes.map((probe) => makeRunner(probe, monitors));
  const facts: Facts = {
    regions: place.regions,
    probes: probes.map((probe) => probe.facts),
    monitors: monitors.map((monitor) => monitor.facts),
    turnMs: 0,
    watchingMs: 0,
  };
  const windows: Window[] = [];
  /** Since when the mail server accepts mails; null: it does not. */
  const mail = { acceptsSinceMs: clock.ms() as number | null };
  const host = { works: true, sentMs: 0 };
  let turns = 0;

  /** Probes of one region act one after the other. */
  async function probesAct(isServed: boolean): Promise<void> {
    const all = Map.groupBy(runners.entries(), ([i]) => probes[i]?.facts.region);
    await Promise.all(
      [...all.values()].map(async (some) => {
        for (const [, runner] of some) await runner.act(clock.ms(), isServed);
      }),
    );
  }

  /** The agent of the host reports when it is due, or as soon as a server runs again. */
  async function hostActs(): Promise<void> {
    const nowMs = clock.ms();
    if (!host.works || nowMs - host.sentMs < BEATS_MS) return;
    host.sentMs = nowMs;
    await place.agent.beat({ cpu_pct: 20 });
    const watched = facts.monitors.find(({ regions }) => regions.includes(HOST));
    noteCheck(watched, HOST, { atMs: nowMs, kind: 'result', status: 'up' }, nowMs);
  }

  async function endWindows(): Promise<void> {
    for (const window of windows.splice(0)) {
      if (window.untilMs > clock.ms()) {
        windows.push(window);
        continue;
      }
      await app.runTask('maintenance', { window_id: window.id });
      window.of.maintainedMs = clock.ms();
    }
  }

  /** Nobody works jobs here but the walk: those of groups, and none of the others. */
  async function deriveGroups(): Promise<void> {
    const { rows } = await sql<{ key: string | null }>`
      DELETE FROM graphile_worker._private_jobs RETURNING key`.execute(app.db);
    for (const { key } of rows)
      if (key?.startsWith('group:'))
        await app.runTask('group', { monitor_no: Number(key.slice('group:'.length)) });
  }

  /** A job that is well: it pings in time whenever a server runs. */
  async function pingJob(): Promise<void> {
    const { status } = await app.visitor().send('POST', new URL(place.pingUrl).pathname);
    if (status !== 200) throw new Error(`a ping answered ${status}`);
  }

  /** What the servers do now, once each. */
  async function serversAct(): Promise<void> {
    await pingJob();
    await Promise.all([app.runTask('heartbeats_turn'), endWindows(), deriveGroups()]);
    await stage.watch(turns++ % 2 === 1);
    noteTurn(facts, clock.ms());
    await app.runTask('notices');
    // The server's own sender may have taken them.
    const leased = sql`SELECT FROM notices WHERE state = 'pending' AND leased_until > ${clock.now()} LIMIT 1`;
    await until(async () => (await leased.execute(app.db)).rows.length === 0, 'nothing is being sent');
  }

  /** Lets time pass, in turns of the servers if any runs. */
  async function pass(seconds: number, isServed = true): Promise<void> {
    const untilMs = clock.ms() + seconds * 1000;
    while (clock.ms() < untilMs) {
      clock.advance(Math.min(TURN_MS, untilMs - clock.ms()));
      await probesAct(isServed);
      if (!isServed) continue;
      await hostActs();
      await serversAct();
      await look(scene, false);
    }
  }

  async function change({ facts: monitor }: WalkedMonitor, body: object, known: Partial<typeof monitor>) {
    const owner = place.organizations.find(({ orgId }) => orgId === monitor.orgId)?.owner;
    await owner?.ok('PATCH', `/monitors/${monitor.id}`, body);
    Object.assign(monitor, known);
  }

  async function maintain({ facts: monitor }: WalkedMonitor, seconds: number): Promise<void> {
    const of = place.organizations.find(({ orgId }) => orgId === monitor.orgId);
    const start = Math.floor(clock.ms() / 1000);
    const window = await of?.owner.ok<MaintenanceWindow>(
      'POST',
      `/organizations/${monitor.orgId}/maintenance-windows`,
      {
        ...{ title: 'Upgrade', monitors: [monitor.id] },
        ...{ scheduled_start: start, scheduled_end: start + seconds },
      },
    );
    if (window) windows.push({ id: window.id, of: monitor, untilMs: (start + seconds) * 1000 });
  }

  /** A step at a monitor that is left. */
  async function actOn(step: Step & { monitor: number }): Promise<void> {
    const monitor = monitors[step.monitor];
    if (!monitor || monitor.facts.deleted) return;
    const nowMs = clock.ms();
    switch (step.do) {
      case 'target':
        monitor.isUp = step.up;
        return;
      case 'hinder':
        monitor.isHindered = step.on;
        return;
      case 'pause':
        return change(monitor, { enabled: false }, { enabled: false });
      case 'resume':
        if (monitor.facts.enabled) return;
        return change(monitor, { enabled: true }, { enabled: true, changedMs: nowMs });
      case 'retarget': {
        const target = `host-${nowMs}.example.com`;
        const config = monitor.type === 'ping' ? { host: target } : { url: `https://${target}/` };
        const { timeoutMs, intervalSeconds } = monitor.facts;
        const timeout =
          timeoutMs === usualTimeoutOf(monitor.type, intervalSeconds) ? {} : { timeout_ms: timeoutMs };
        return change(monitor, { config: { ...config, ...timeout } }, { changedMs: nowMs });
      }
      case 'move': {
        const regions = step.regions.map((i) => place.regions[i]!);
        if (regions.join() === monitor.facts.regions.join()) return;
        return change(monitor, { regions }, { regions, changedMs: nowMs });
      }
      case 'maintain':
        return maintain(monitor, step.seconds);
      case 'delete': {
        const owner = place.organizations.find(({ orgId }) => orgId === monitor.facts.orgId)?.owner;
        await owner?.ok('DELETE', `/monitors/${monitor.facts.id}`);
        monitor.facts.deleted = true;
      }
    }
  }

  /** What the operator decides about a probe that is registered. */
  async function decide(step: Step & { do: 'refuse' | 'admit' | 'remove' }): Promise<void> {
    const probe = probes[step.probe]?.facts;
    if (!probe || probe.seenMs === null) return;
    const path = `/admin/regions/${probe.region}/probes/${probe.id}`;
    if (step.do === 'remove') {
      await app.alice.ok('DELETE', path);
      noteRemoved(probe);
      runners[step.probe]?.removed();
      return;
    }
    const admitted = step.do === 'admit';
    await app.alice.ok('PATCH', path, { admission: admitted ? 'admitted' : 'refused' });
    noteAdmission(probe, admitted);
  }

  async function act(step: Step): Promise<void> {
    switch (step.do) {
      case 'wait':
        return pass(step.seconds);
      case 'probe':
        return runners[step.probe]?.turn(step.mode);
      case 'refuse':
      case 'admit':
      case 'remove':
        return decide(step);
      case 'host':
        host.works = step.works;
        return;
      case 'no_server':
        return pass(step.seconds, false);
      case 'restart':
        return stage.restart(step.second);
      case 'mail_down':
        mail.acceptsSinceMs = null;
        return mailbox.refuse('451 4.3.0 try again later');
      case 'mail_up':
        mail.acceptsSinceMs ??= clock.ms();
        return mailbox.refuse(null);
      default:
        return actOn(step);
    }
  }

  const scene = {
    ...{ ...place, facts, mail, nowMs: () => clock.ms() },
    /** Takes a step, and lets everything happen that follows from it at this moment. */
    async take(step: Step): Promise<void> {
      await act(step);
      await look(scene, true);
    },
  };
  return scene;
}
