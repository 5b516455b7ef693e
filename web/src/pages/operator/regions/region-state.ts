import type { AdministeredRegion } from '../../../../../src/regions/contract.ts';
import type { DisplayState } from '../../../ui/StatusGlyph.tsx';

/** How a region is, as a glyph and a word: one that is not online is an alarm only where monitors wait for it. */
export function regionState(region: AdministeredRegion): {
  state: DisplayState;
  word: 'online' | 'offline' | 'noProbe';
} {
  if (region.online) return { state: 'passed', word: 'online' };
  const word = region.probes.length === 0 ? 'noProbe' : 'offline';
  return { state: region.monitor_count > 0 ? 'failed' : 'pending', word };
}
