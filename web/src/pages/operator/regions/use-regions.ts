import { useQuery } from '@tanstack/react-query';
import { listAdministeredRegions } from '#src/regions/contract.ts';
import { read } from '#web/read.ts';

/** All regions with their probes, polled: probes come and go by themselves. */
export function useRegions(everyMs = 5_000) {
  return useQuery({ ...read(listAdministeredRegions, {}), refetchInterval: everyMs });
}
