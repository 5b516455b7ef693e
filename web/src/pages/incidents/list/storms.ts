// Collapses the incidents of one storm into one row. Pure.
import type { IncidentSummary } from '#src/incidents/contract.ts';

export type Row =
  | { is: 'incident'; incident: IncidentSummary }
  | { is: 'storm'; groupId: string; name: string | null; incidents: IncidentSummary[]; fromUnix: number };

/**
 * Collapses an incident list, newest first. A group takes the place of its newest incident. A group with only one listed
 * incident is an ordinary row.
 */
export function collapseStorms(incidents: readonly IncidentSummary[]): Row[] {
  const groups = Map.groupBy(incidents, ({ group_id }) => group_id);
  return incidents.flatMap((incident): Row[] => {
    const { group_id: groupId } = incident;
    const together = groupId === null ? [] : (groups.get(groupId) ?? []);
    if (groupId === null || together.length < 2) return [{ is: 'incident', incident }];
    if (together[0] !== incident) return [];
    const fromUnix = Math.min(...together.map(({ started_at_unix }) => started_at_unix));
    return [{ is: 'storm', groupId, name: incident.group_name, incidents: together, fromUnix }];
  });
}

/** How many others of its group are open and unacknowledged: they ring with this one. */
export function othersRinging(
  open: readonly IncidentSummary[],
  { id, group_id }: Pick<IncidentSummary, 'id' | 'group_id'>,
): number {
  if (group_id === null) return 0;
  return open.filter(
    (other) => other.group_id === group_id && other.id !== id && other.lifecycle_state === 'triggered',
  ).length;
}
