// Everything that rings for the reader, in all their organizations. The live stream covers the organization on screen; the
// others are polled.
import { useQueries, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { AlarmEvent, IncidentEvent } from '#src/events/contract.ts';
import { listRinging, type Ringing } from '#src/on-call/contract.ts';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { patch } from '../cached.ts';
import { read } from '../read.ts';

/** The live stream reports changes; polling catches events that the stream lost unnoticed. */
const ON_SCREEN_MS = 60_000;
const ELSEWHERE_MS = 20_000;

/** Organizations that the reader has left but that the cached list still contains. */
const left = new Set<string>();

/** Stops polling an organization. Returns a function that undoes this, for when the list has been read again. */
export function stopPolling(orgId: string): () => void {
  left.add(orgId);
  return () => void left.delete(orgId);
}

/** Whether the reader still belongs to an organization. */
export const isPolled = (orgId: string) => !left.has(orgId);

export type RingingIncident = Ringing & { orgId: string; organization: string };

/** Everything that rings for the reader now, oldest first. */
export function useRinging(): RingingIncident[] {
  const { orgId } = useParams({ strict: false });
  const mine = useQuery(read(listMyOrganizations, {})).data ?? [];
  return useQueries({
    queries: mine.map(({ id }) => ({
      ...read(listRinging, { params: { org_id: id } }),
      enabled: () => isPolled(id),
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

/** Applies events of the live stream at once; the list is refetched all the same. */
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

/** Acknowledging or closing an incident ends its alarm everywhere, without waiting for the alarm's own event. */
export function patchRingingIncident(orgId: string, event: IncidentEvent): void {
  if (event.change === 'acknowledged' || event.change === 'resolved')
    change(orgId, without(event.incident_id));
}
