// What must hold after the versions have changed: pure, facts in, sentences out.

export type Facts = {
  /** Checks that were acknowledged, and those in the database, as "monitor time". */
  acknowledged: ReadonlySet<string>;
  stored: ReadonlySet<string>;
  /** Incidents in the database. */
  incidents: readonly { id: string; monitorId: string; status: string }[];
  /** By monitor: how many outages it had. */
  outages: ReadonlyMap<string, number>;
  /** Webhooks that arrived. */
  deliveries: readonly { incidentId: string; event: string; genuine: boolean }[];
  /** Incidents that the live stream named. */
  streamed: ReadonlySet<string>;
  resets: number;
  failed: readonly { backend: string; what: string; status: number | string }[];
  unready: readonly string[];
};

const FIRST_FEW = 5;

/** A sentence for each thing that is not as it must be. */
export function findings(facts: Facts): string[] {
  const { acknowledged, stored, incidents, outages, deliveries, streamed } = facts;
  const byMonitor = Map.groupBy(incidents, ({ monitorId }) => monitorId);
  const arrived = new Set(deliveries.map(({ incidentId, event }) => `${incidentId} ${event}`));
  const missing = ['opened', 'resolved'].flatMap((event) =>
    incidents.filter(({ id }) => !arrived.has(`${id} ${event}`)).map(({ id }) => `${event} of ${id}`),
  );
  return [
    some(
      'results were acknowledged and are not stored',
      [...acknowledged].filter((key) => !stored.has(key)),
    ),
    some(
      'monitors have another number of incidents than they had outages',
      [...new Set([...byMonitor.keys(), ...outages.keys()])]
        .map((id) => ({ id, found: byMonitor.get(id)?.length ?? 0, had: outages.get(id) ?? 0 }))
        .filter(({ found, had }) => found !== had)
        .map(({ id, found, had }) => `${id}: ${found} incidents, ${had} outages`),
    ),
    some(
      'incidents are still open',
      incidents.filter(({ status }) => status !== 'closed').map(({ id, status }) => `${id} is ${status}`),
    ),
    some('webhooks never arrived', missing),
    some(
      'webhooks were not signed as they must be',
      deliveries
        .filter(({ genuine }) => !genuine)
        .map(({ incidentId, event }) => `${event} of ${incidentId}`),
    ),
    some(
      'incidents were not on the live stream',
      incidents.filter(({ id }) => !streamed.has(id)).map(({ id }) => id),
    ),
    some('times the live stream said that events are missing', Array(facts.resets).fill('reset')),
    some(
      'requests failed',
      facts.failed.map(({ backend, what, status }) => `${what} by ${backend}: ${status}`),
    ),
    some('times a server was not ready', facts.unready),
  ].filter((sentence) => sentence !== null);
}

function some(what: string, list: readonly string[]): string | null {
  if (list.length === 0) return null;
  const more = list.length > FIRST_FEW ? `, and ${list.length - FIRST_FEW} more` : '';
  return `${list.length} ${what}: ${list.slice(0, FIRST_FEW).join('; ')}${more}`;
}
