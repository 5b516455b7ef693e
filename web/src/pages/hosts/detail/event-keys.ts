// What tells the events of a host apart: several of a kind may be of one second.
import type { AgentEvent } from '#src/agents/contract.ts';

/** A key for each event, newest first as they are listed; an event keeps its own when newer ones come. */
export function eventKeys(events: readonly AgentEvent[]): string[] {
  const counts = new Map<string, number>();
  const keys = events.toReversed().map(({ at_unix, kind, detail }) => {
    const name = `${at_unix} ${kind} ${detail}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${name} ${count}`;
  });
  return keys.reverse();
}
