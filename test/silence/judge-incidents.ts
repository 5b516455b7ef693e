// Silence opens no incident and resolves none (docs/rules/confirmation.md#silence), and metrics and the live stream say what is unknown.
import { sql } from 'kysely';
import type { MonitorFacts } from './facts.ts';
import { canBeSilent, isChecked, isOnline, isProbeOnline, isSilent } from './rules.ts';
import type { Scene } from './scene.ts';
import type { Stage } from './stage.ts';

/** Two turns. */
const NOTED_MS = 10_000;

type Incident = { id: string; monitorId: string; open: boolean };

/** `wrong` gets a sentence for each fault. */
export function makeIncidentJudge({ app }: Stage, wrong: Set<string>) {
  let before: readonly Incident[] = [];
  let beforeMs = 0;
  const since = new Map<string, { silent: boolean | null; ms: number }>();
  /** Whether each monitor was silent at the last turn, which is when the servers note it. */
  let noted = new Map<string, boolean | null>();

  /** `whole`: metrics too, after a step. Otherwise a turn has just been. */
  async function look(scene: Scene, whole: boolean): Promise<void> {
    const nowMs = scene.nowMs();
    for (const monitor of scene.facts.monitors) {
      const silent = isSilent(scene.facts, monitor, nowMs);
      if (since.get(monitor.id)?.silent !== silent) since.set(monitor.id, { silent, ms: nowMs });
    }
    if (!whole) noted = new Map([...since].map(([id, { silent }]) => [id, silent]));
    await judgeIncidents(scene);
    if (!whole) return;
    await judgeMetrics(scene);
    if (scene.facts.turnMs === nowMs) await judgeStream(scene);
  }

  async function judgeIncidents({ monitors, nowMs }: Scene): Promise<void> {
    const { rows } = await sql<Incident>`
      SELECT id, monitor_id AS "monitorId", status = 'open' AS open FROM incidents`.execute(app.db);
    const was = new Set(before.flatMap(({ id, open }) => (open ? [id] : [])));
    for (const { id, monitorId, open } of rows) {
      const { facts, type } = monitors.find((each) => each.facts.id === monitorId) ?? {};
      // A group follows its members.
      if (!facts || type === 'group' || open === was.has(id)) continue;
      const { name, failedMs, passedMs, maintainedMs, enabled } = facts;
      if (open && Math.max(failedMs, maintainedMs) <= beforeMs)
        wrong.add(`an incident of ${name} opened, and nothing failed`);
      if (!open && passedMs <= beforeMs && enabled && before.some((each) => each.id === id))
        wrong.add(`an incident of ${name} was resolved, and nothing passed`);
    }
    before = rows;
    beforeMs = nowMs();
  }

  /** docs/self-hosting.md#metrics */
  async function judgeMetrics({ facts, nowMs }: Scene): Promise<void> {
    const text = await app.visitor().ok<string>('GET', '/metrics');
    const value = (series: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      );
    for (const region of facts.regions) {
      const online = isOnline(facts, region, nowMs());
      if (online !== null && value(`tocsin_region_online{region="${region}"}`) !== Number(online))
        wrong.add(`metrics: ${region} is not ${online ? 'online' : 'offline'}`);
    }
    for (const probe of facts.probes) {
      const online = isProbeOnline(probe, nowMs());
      const shown = value(`tocsin_probe_online{region="${probe.region}",probe="${probe.id}"}`);
      // There are only admitted ones.
      if (!probe.admitted || probe.seenMs === null) {
        if (!Number.isNaN(shown)) wrong.add(`metrics: ${probe.id} of ${probe.region} is not admitted`);
      } else if (online !== null && shown !== Number(online))
        wrong.add(`metrics: ${probe.id} of ${probe.region} is not ${online ? 'online' : 'offline'}`);
    }
    // They count as silent whom the last turn noted: whoever falls silent by a step at the same moment is noted at the next one.
    const known = ['passed', 'degraded', 'failed'].reduce(
      (sum, status) => sum + (value(`tocsin_monitors{status="${status}"}`) || 0),
      0,
    );
    const enabled = facts.monitors.filter((monitor) => monitor.enabled && !monitor.deleted);
    const both = ({ id }: MonitorFacts, silent: boolean) =>
      noted.get(id) === silent && since.get(id)?.silent === silent;
    const most = enabled.filter((monitor) => !both(monitor, true)).length;
    if (known > most)
      wrong.add(`metrics: ${known} monitors have a status, and of ${most} at most it is known`);
    const least = enabled.filter((monitor) => both(monitor, false) && isChecked(monitor)).length;
    if (known < least)
      wrong.add(`metrics: ${known} monitors have a status, and of ${least} at least it is known`);
  }

  /** Dashboards that are open are told when a monitor falls silent, and when it reports again. */
  async function judgeStream({ facts, nowMs }: Scene): Promise<void> {
    const { rows } = await sql<{ id: string; silent: boolean }>`
      SELECT DISTINCT ON (payload ->> 'monitor_id') payload ->> 'monitor_id' AS id,
        payload ->> 'no_data_since_unix' IS NOT NULL AS silent
      FROM live_events WHERE payload ->> 'change' = 'data' ORDER BY payload ->> 'monitor_id', seq DESC`.execute(
      app.db,
    );
    for (const monitor of facts.monitors) {
      const { silent = null, ms = 0 } = since.get(monitor.id) ?? {};
      if (silent === null || nowMs() - ms <= NOTED_MS || !canBeSilent(monitor)) continue;
      const notified = rows.find(({ id }) => id === monitor.id)?.silent ?? false;
      if (notified !== silent)
        wrong.add(`live stream: ${monitor.name} is ${notified ? '' : 'not '}without data`);
    }
  }

  return { look };
}
