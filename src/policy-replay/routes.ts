import { type Route, show } from '../platform/http/route.ts';
import { replayPolicy } from './contract.ts';
import { REPLAY_LIMITS, type ReplayLimits, replay } from './replay.ts';
import { makeSlots } from './slots.ts';

/** Held: it has slots of its own, so that it takes none from requests that are answered at once. */
export function policyReplayRoutes(limits: ReplayLimits = REPLAY_LIMITS): Route[] {
  const slots = makeSlots();
  return [{ ...show(replayPolicy, (call) => replay(call, slots, limits)), held: true }];
}
