// What must hold at every moment of a walk, recomputed from the incidents, the holds and the windows alone
// (docs/rules/notifications.md#storms, docs/rules/on-call-and-alarms.md).
import type { Ringing } from '#src/on-call/contract.ts';
import type { TestApp } from '../harness/app.ts';
import { type Incident, type Moment, readIncidents } from './incidents.ts';
import { judgeEnd } from './judge-end.ts';
import { makePageJudge } from './judge-pages.ts';
import type { Pagers } from './pagers.ts';
import type { Scene } from './scene.ts';

/** A step of an alarm may be so late. */
const LATE_MS = 1_000;

/** Follows a walk. `look` is called when something may have changed; `wrong` has what must not be, one sentence each. */
export function makeJudge(app: TestApp, pagers: Pagers) {
  const wrong = new Set<string>();
  const pageJudges = new Map<string, ReturnType<typeof makePageJudge>>();
  /** Incidents that were seen, those of them that the filters let through when they opened, and the monitors of those. */
  const known = new Set<string>();
  const passed = new Set<string>();
  /** Since when somebody needs to respond, by incident. */
  let neededSince = new Map<string, number>();
  let before: Moment['before'] = { incidents: [], needing: new Set() };

  async function look(scene: Scene): Promise<void> {
    const atMs = app.clock.ms();
    const incidents = await readIncidents(app, scene.orgId);
    for (const { id, monitor_id } of incidents) {
      if (!known.has(id) && scene.concerned.has(monitor_id)) passed.add(id).add(monitor_id);
      known.add(id);
    }
    const isQuiet = ({ degraded, heldUntil, monitor_id }: Incident) =>
      degraded || (heldUntil !== null && heldUntil.getTime() > atMs) || scene.isCovered(monitor_id);
    const needs = incidents.filter((one) => one.open && !one.acknowledged && !isQuiet(one));
    const needing = new Set(needs.map(({ id }) => id));
    neededSince = new Map([...needing].map((id) => [id, neededSince.get(id) ?? atMs]));
    await judgeRinging(scene, needing);
    judgePages(scene, { atMs, incidents, needing, before });
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
    const { orgId, targets, state, isRetried } = scene;
    for (const [i, { name, family, credential, filtered }] of targets.entries()) {
      if (family !== 'paging') continue;
      const judge = pageJudges.get(name) ?? makePageJudge(name, orgId, wrong);
      pageJudges.set(name, judge);
      const concerned = ({ id }: Incident) => !filtered || passed.has(id);
      judge.look(
        pagers.pages(credential),
        {
          ...moment,
          incidents: incidents.filter(concerned),
          needing: new Set([...moment.needing].filter((id) => !filtered || passed.has(id))),
          before: { ...before, incidents: before.incidents.filter(concerned) },
        },
        // The first target is the one that is switched off and on.
        { isOff: i === 0 && (!state.on || state.turned), isRetried: isRetried(), mixed: state.mixed },
      );
    }
  }

  /** At the end, when everything is over and nothing waits. */
  const finish = (scene: Scene) => {
    const filtered = new Map(scene.targets.map((target) => [target.id, target.filtered]));
    const concerns = (targetId: string, id: string) => !filtered.get(targetId) || passed.has(id);
    return judgeEnd(app, pagers, scene, { concerns, concernsMonitor: concerns }, wrong);
  };

  return { look, finish, wrong };
}
