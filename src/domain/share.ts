import { hash32 } from './hash.ts';

/**
 * The probe of a region that checks a monitor, by rendezvous hashing (docs/rules/regions-and-probes.md#sharing): every probe
 * draws a number for the monitor, and the highest gets it. This spreads the work evenly, everybody computes the same result,
 * and when a probe joins or leaves, only the monitors that it gets or had move.
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
