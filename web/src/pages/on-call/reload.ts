import { getDuty, getOnCallSettings, getRoster, listShifts, previewChain } from '#src/on-call/contract.ts';
import { everyRead, queryClient } from '#web/read.ts';

/** Asks again for everything that a change of roster or rules shows in. */
export async function reloadOnCall(): Promise<void> {
  const reads = [getDuty, getOnCallSettings, getRoster, listShifts, previewChain];
  await Promise.all(
    reads.map((operation) => queryClient.invalidateQueries({ queryKey: everyRead(operation) })),
  );
}
