// Which incidents a target receives, by its filter and by when it was on (docs/rules/notifications.md#routing).
import type { Incident } from './incidents.ts';
import type { Target } from './place.ts';

export type Concerns = ReturnType<typeof makeConcerns>;

/** Decides once for each incident and target, when `note` hears of the incident, and again where a target that is off is changed. */
export function makeConcerns() {
  const known = new Set<string>();
  const received = new Map<string, Set<string>>();
  /** Incidents that opened since a target is off. */
  const sinceOff = new Map<string, Set<string>>();
  const before = new Map<string, { on: boolean; filters: boolean }>();
  const of = (sets: Map<string, Set<string>>, id: string): Set<string> => {
    const set = sets.get(id) ?? new Set<string>();
    sets.set(id, set);
    return set;
  };

  /** Of what opened while a target was off it receives nothing if it had a filter before, or has one after. */
  function noteChange({ id, on, filters }: Target): void {
    const was = before.get(id) ?? { on, filters };
    before.set(id, { on, filters });
    if (was.on) return;
    const missed = of(sinceOff, id);
    if (filters || was.filters) for (const incidentId of missed) received.get(id)?.delete(incidentId);
    if (on) missed.clear();
  }

  return {
    /** What has opened since, and how targets have changed. `passes`: monitors that filters let through now. */
    note(incidents: readonly Incident[], targets: readonly Target[], passes: ReadonlySet<string>): void {
      for (const target of targets) noteChange(target);
      for (const { id, monitor_id } of incidents) {
        if (known.has(id)) continue;
        known.add(id);
        for (const target of targets) {
          if (!target.filters || (target.on && passes.has(monitor_id)))
            of(received, target.id).add(id).add(monitor_id);
          if (!target.on) of(sinceOff, target.id).add(id);
        }
      }
    },
    /** The ids of the incidents that a target receives, and of their monitors: an incident is deleted with its monitor. */
    of: (targetId: string): ReadonlySet<string> => of(received, targetId),
  };
}
