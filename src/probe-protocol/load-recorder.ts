// The load of each probe, recorded when its share may have changed.
import type { Database } from '../platform/work.ts';
import type { CallingProbe } from '../regions/admission.ts';
import { noteGiven } from '../regions/liveness.ts';
import type { RegionNow } from '../regions/sharing.ts';
import { shortestInterval } from './assignment-pages.ts';

/** The load keeps changing while many monitors fail, so it is recorded at most this often. */
const EVERY_MS = 1_000;

export type LoadRecorder = {
  /** Records the load of a probe if its share may have changed since it was recorded last. */
  record(probe: CallingProbe, probeId: string, share: Share): Promise<void>;
  /** The next load of the probe is recorded in any case. */
  forget(probe: CallingProbe, probeId: string): void;
};

type Share = { seen: RegionNow; epoch: string; isMine: (monitorId: string) => boolean };

const nameOf = ({ regionNo }: CallingProbe, probeId: string) => `${regionNo} ${probeId}`;

export function makeLoadRecorder(db: Database, clock: () => Date): LoadRecorder {
  /** By probe: the revision and epoch of the share recorded last. */
  const recorded = new Map<string, { key: string; atMs: number }>();
  return {
    async record(probe, probeId, { seen, epoch, isMine }) {
      const name = nameOf(probe, probeId);
      const key = `${seen.revision} ${epoch}`;
      const now = clock();
      const last = recorded.get(name);
      if (last?.key === key || Math.abs(now.getTime() - (last?.atMs ?? 0)) < EVERY_MS) return;
      recorded.set(name, { key, atMs: now.getTime() });
      const shortestSeconds = await shortestInterval(db, probe.regionNo, isMine);
      await noteGiven(db, probe, probeId, { shortestSeconds, now });
    },
    forget(probe, probeId) {
      recorded.delete(nameOf(probe, probeId));
    },
  };
}
