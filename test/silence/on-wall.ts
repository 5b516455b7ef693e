// What walls may show: they are read again within 2 s of an event, and what changes without one appears within 30 s
// (docs/rules/overview.md#wall-display).

const AFTER_EVENT_MS = 2_000;
const ANYWAY_MS = 30_000;

/** null: the rules leave it open which states fit. */
type States = readonly string[] | null;

type Memory = {
  /** The states that fitted, each from a moment on, the newest last. */
  past: { states: States; fromMs: number }[];
  /** What the last turn knew, and when that last differed from the one before it: then there is an event. */
  watched: string | null;
  eventMs: number;
};

export function makeWallMemory() {
  const memories = new Map<string, Memory>();

  /** `isWatched`: a turn of a server has just been, so that what changed since the last one is an event. */
  function note(id: string, states: States, nowMs: number, isWatched: boolean): void {
    const memory = memories.get(id) ?? { past: [], watched: null, eventMs: Number.NEGATIVE_INFINITY };
    memories.set(id, memory);
    if (String(memory.past.at(-1)?.states) !== String(states)) memory.past.push({ states, fromMs: nowMs });
    // That a first result is no longer waited for comes with time alone.
    const known = String(states?.filter((state) => state !== 'pending'));
    const isPaused = known === 'paused';
    // Whoever pauses or resumes a monitor causes an event, whether a server watches or not.
    if (known === memory.watched || !(isWatched || isPaused !== (memory.watched === 'paused'))) return;
    memory.watched = known;
    memory.eventMs = nowMs;
  }

  /** The states that a wall may show now, those of a while ago among them. null: any. */
  function statesOf(id: string, nowMs: number): States {
    const { past, eventMs } = memories.get(id) ?? { past: [], eventMs: Number.NEGATIVE_INFINITY };
    // A wall was read at this moment or later.
    const readMs = Math.max(nowMs - ANYWAY_MS, Math.min(eventMs, nowMs - AFTER_EVENT_MS));
    const fitted = past.filter((_, i) => (past[i + 1]?.fromMs ?? Number.POSITIVE_INFINITY) > readMs);
    return fitted.some(({ states }) => states === null) ? null : fitted.flatMap(({ states }) => states ?? []);
  }

  return { note, statesOf };
}
