// When the next heartbeat is due (docs/rules/agents.md#clocks). Pure.

/**
 * The time of the next heartbeat: each agent has its own moment in the interval, by a stable hash of its id, so that agents
 * that start together do not stay together. At least half an interval away, so at most one and a half.
 */
export function nextDueMs(nowMs: number, intervalMs: number, agentId: string): number {
  const placeMs = hashOf(agentId) % intervalMs;
  const earliestMs = nowMs + intervalMs / 2;
  return Math.ceil((earliestMs - placeMs) / intervalMs) * intervalMs + placeMs;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
