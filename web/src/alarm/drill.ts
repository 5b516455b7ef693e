// The fire drill that rings for the reader, in any of their organizations.
import { useQueries, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type Drill, listDrills } from '#src/on-call/drills/contract.ts';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { read } from '../read.ts';
import { isPolled } from './ringing.ts';

const EVERY_MS = 60_000;

export type RingingDrill = Drill & { orgId: string };

/**
 * The drill that rings for the reader; null if none does. The live stream reports new drills of the organization on screen.
 */
export function useRingingDrill(): RingingDrill | null {
  const { orgId } = useParams({ strict: false });
  const mine = useQuery(read(listMyOrganizations, {})).data ?? [];
  return useQueries({
    queries: mine.map(({ id }) => ({
      ...read(listDrills, { params: { org_id: id }, query: { state: 'running' } }),
      enabled: () => isPolled(id),
      refetchInterval: id === orgId ? false : EVERY_MS,
      refetchIntervalInBackground: true,
    })),
    combine: (results) => {
      for (const [at, { data }] of results.entries()) {
        const drill = data?.find(({ rings }) => rings);
        if (drill !== undefined) return { ...drill, orgId: mine[at]?.id ?? '' };
      }
      return null;
    },
  });
}
