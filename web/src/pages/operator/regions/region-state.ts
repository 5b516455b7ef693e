import type { AdministeredRegion, Probe } from '#src/regions/contract.ts';
import type { DisplayState } from '#web/ui/StatusGlyph.tsx';

/** The state of a region as a glyph and a word: offline is an alarm only if monitors use the region. */
export function regionState(
  region: AdministeredRegion,
  now: number,
): {
  state: DisplayState;
  word: 'online' | 'busy' | 'offline' | 'noProbe' | 'noResults' | 'waiting';
} {
  if (region.online && region.probes.some((probe) => isBusy(probe, now)))
    return { state: 'degraded', word: 'busy' };
  if (region.online) return { state: 'passed', word: 'online' };
  return { state: region.monitor_count > 0 ? 'failed' : 'pending', word: wordOf(region.probes) };
}

function wordOf(probes: readonly Probe[]) {
  if (probes.length === 0) return 'noProbe';
  const onlineProbes = probes.filter(({ online }) => online);
  if (onlineProbes.some(({ stalled }) => stalled)) return 'noResults';
  return onlineProbes.some(({ admission }) => admission === 'waiting') ? 'waiting' : 'offline';
}

/** The state of one probe. */
export function probeState(
  probe: Probe,
  now: number,
): {
  state: DisplayState;
  word: 'online' | 'busy' | 'offline' | 'noResults' | 'waiting' | 'refused';
} {
  if (probe.admission !== 'admitted') return { state: 'pending', word: probe.admission };
  if (!probe.online) return { state: 'pending', word: 'offline' };
  if (probe.stalled) return { state: 'failed', word: 'noResults' };
  return isBusy(probe, now) ? { state: 'degraded', word: 'busy' } : { state: 'passed', word: 'online' };
}

const SAID_LATELY_SECONDS = 3_600;
const BUSY_LATELY_SECONDS = 300;

/** Whether a probe skips a check that had blocked it: it reports so each time the check is due. */
export function skipsBlockingCheck({ set_aside_at_unix: at }: Probe, now: number): boolean {
  return at !== null && now - at < SAID_LATELY_SECONDS;
}

/** Whether an online probe was recently too busy for a check: it reports so with each such check. */
export function isBusy({ online, busy_at_unix: at }: Probe, now: number): boolean {
  return online && at !== null && now - at < BUSY_LATELY_SECONDS;
}
