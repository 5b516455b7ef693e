import { hash32 } from './hash.ts';

/**
 * Who of a region's probes checks a monitor, by rendezvous hashing (docs/rules/regions-and-probes.md#sharing): every probe
 * draws a number for the monitor, and the highest has it. So the work is spread evenly, everybody reckons the same, and when
 * a probe comes or goes only the monitors move that it takes or had.
 */
export function ownerOf(probeIds: readonly string[], monitorId: string): string | undefined {
  let owner: string | undefined;
  let highest = -1;
  for (const probeId of probeIds) {
    const drawn = hash32(`${probeId} ${monitorId}`);
    if (drawn < highest || (drawn === highest && owner !== undefined && probeId > owner)) continue;
    owner = probeId;
    highest = drawn;
  }
  return owner;
}
