import { type Route, show } from '../platform/http/mount.ts';
import { replayPolicy } from './contract.ts';
import { makePlaces } from './places.ts';
import { REPLAY_LIMITS, type ReplayLimits, replay } from './replay.ts';

/** Held: it has places of its own, so that it takes none from requests that are answered at once. */
export function policyReplayRoutes(limits: ReplayLimits = REPLAY_LIMITS): Route[] {
  const places = makePlaces();
  return [{ ...show(replayPolicy, (call) => replay(call, places, limits)), held: true }];
}
