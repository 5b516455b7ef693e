import { useQuery } from '@tanstack/react-query';
import { listAdministeredRegions } from '#src/regions/contract.ts';
import { everyRead, queryClient, read } from '#web/read.ts';

/** All regions with their probes, looked at again and again: probes come and go by themselves. */
export function useRegions(everyMs = 5_000) {
  return useQuery({ ...read(listAdministeredRegions, {}), refetchInterval: everyMs });
}

export const reloadRegions = () =>
  // Forms of monitors offer the regions too.
  Promise.all(
    [everyRead(listAdministeredRegions), ['listRegions']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
