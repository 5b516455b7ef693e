// What rings for the reader, in all their organizations: the one on screen tells it live, the others are asked.
import { useQueries, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { AlarmEvent, IncidentEvent } from '#src/events/contract.ts';
import { listRinging, type Ringing } from '#src/on-call/contract.ts';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { patch } from '../cached.ts';
import { read } from '../read.ts';

/** The live stream tells what changes; asking again is for what it lost without noticing. */
const ON_SCREEN_MS = 60_000;
const ELSEWHERE_MS = 20_000;

/** Organizations that are the reader's no longer, while the list of theirs still names them. */
const left = new Set<string>();

/** Asks an organization nothing more; answers how to forget that, once the list of the reader's has been read again. */
export function askNoMore(orgId: string): () => void {
  left.add(orgId);
  return () => void left.delete(orgId);
}

/** Whether an organization is still the reader's. */
export const mayBeAsked = (orgId: string) => !left.has(orgId);

export type RingingIncident = Ringing & { orgId: string; organization: string };

/** Everything that rings for the reader now, oldest first. */
export function useRinging(): RingingIncident[] {
  const { orgId } = useParams({ strict: false });
  const mine = useQuery(read(listMyOrganizations, {})).data ?? [];
  return useQueries({
    queries: mine.map(({ id }) => ({
      ...read(listRinging, { params: { org_id: id } }),
      enabled: () => mayBeAsked(id),
      refetchInterval: id === orgId ? ON_SCREEN_MS : ELSEWHERE_MS,
      refetchIntervalInBackground: true,
    })),
    combine: (results) =>
      results
        .flatMap(({ data }, at) => {
          const { id = '', name = '' } = mine[at] ?? {};
          return (data ?? []).map((each) => ({ ...each, orgId: id, organization: name }));
        })
        .sort((a, b) => a.since_unix - b.since_unix),
  });
}

function change(orgId: string, how: (list: Ringing[]) => Ringing[]): void {
  const { queryKey } = read(listRinging, { params: { org_id: orgId } });
  patch<Ringing[]>(queryKey, how);
}

const without = (id: string) => (list: Ringing[]) => list.filter((each) => each.incident_id !== id);

/** Starts and ends at once what the live stream tells; the list is asked for again all the same. */
export function patchAlarm(orgId: string, event: AlarmEvent): void {
  const { incident_id, monitor_name, cause, severity } = event;
  if (event.change === 'ended') {
    change(orgId, without(incident_id));
    return;
  }
  const since_unix = Math.floor(Date.now() / 1_000);
  change(orgId, (list) =>
    list.some((each) => each.incident_id === incident_id)
      ? list
      : [...list, { incident_id, monitor_name, cause, severity, since_unix, group_name: null }],
  );
}

/** Whoever took or closed an incident ends its alarm everywhere: no need to wait until the alarm says so itself. */
export function patchRingingIncident(orgId: string, event: IncidentEvent): void {
  if (event.change === 'acknowledged' || event.change === 'resolved')
    change(orgId, without(event.incident_id));
}
