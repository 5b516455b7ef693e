// Sets aside (quarantines) poison rows, which fail each time they are processed. A failing batch is split; a row that fails
// alone is skipped for a growing time, so that it blocks no other row, and is logged and counted.
import { Counter } from 'prom-client';
import { isPassing } from './db/away.ts';
import type { Log } from './log.ts';
import { registry } from './metrics.ts';

const total = new Counter({
  name: 'tocsin_set_aside_total',
  help: 'Times that something failed by itself and was set aside so that the others go on, by what it was',
  labelNames: ['kind'],
  registers: [registry],
});

/** What may be set aside, besides jobs, which go by the names of their tasks. */
const KINDS = [
  'monitor',
  'heartbeat',
  'agent',
  'alarm_start',
  'delivery',
  'notice',
  'roll_up_span',
  'roll_up_agent',
  'watch',
] as const;
type SetAsideKind = (typeof KINDS)[number];

/** Begins series with 0: Prometheus sees no increase in one that appears with 1. */
export function beginSetAside(kinds: readonly string[]): void {
  for (const kind of kinds) total.inc({ kind }, 0);
}
beginSetAside(KINDS);

/** Records that something was set aside: in the log with its ids (never its contents), in the metrics by its kind. */
export function noteSetAside(log: Log, kind: SetAsideKind, ids: SetAsideIds, err: unknown): void {
  note(log, kind, ids, err);
}

/** The same for a stored job, by the name of its task. */
export function noteJobSetAside(log: Log, task: string, ids: SetAsideIds, err: unknown): void {
  note(log, task, ids, err);
}

type SetAsideIds = Readonly<Record<string, unknown>>;

function note(log: Log, kind: string, ids: SetAsideIds, err: unknown): void {
  total.inc({ kind });
  log.error({ err, kind, ...ids }, 'set aside: it failed on its own; the others continue without it');
}

export type Failed<Item> = { item: Item; error: unknown };

/**
 * Processes items together. If that fails it processes them in halves, and returns the items that fail alone. `act` must
 * process all of its items or none. Throws transient errors (the database is away, a disk is full): no item is at fault.
 */
export async function bisectFailures<Item>(
  items: readonly Item[],
  act: (some: readonly Item[]) => Promise<unknown>,
): Promise<Failed<Item>[]> {
  const [first, ...others] = items;
  if (first === undefined) return [];
  try {
    await act(items);
    return [];
  } catch (error) {
    if (isPassing(error)) throw error;
    if (others.length === 0) return [{ item: first, error }];
    const half = Math.ceil(items.length / 2);
    const failed = await bisectFailures(items.slice(0, half), act);
    return [...failed, ...(await bisectFailures(items.slice(half), act))];
  }
}

const FIRST_REST_MS = 10_000;
const LONGEST_REST_MS = 10 * 60_000;
/** Failures are forgotten this long after they ran out: the item was probably deleted. */
const FORGOTTEN_MS = 3_600_000;

export type SetAside<Id> = {
  /** Whether anything is set aside or remembered. */
  isEmpty: () => boolean;
  /** The items that are set aside at this instant, in milliseconds. */
  at: (nowMs: number) => Set<Id>;
  /** Sets an item aside after a failure: for 10 s, doubling with each failure up to 10 minutes. */
  failed: (id: Id, nowMs: number) => void;
  /** The item succeeded: forgets its failures. */
  worked: (id: Id) => void;
};

type Rest = { untilMs: number; restMs: number };

/** Remembers, in this process, which items are set aside and until when. */
export function makeSetAside<Id>(): SetAside<Id> {
  const rests = new Map<Id, Rest>();
  return {
    isEmpty: () => rests.size === 0,
    at: (nowMs) => {
      // One that ends later than it may began before the clock was set back.
      const isAside = ({ untilMs, restMs }: Rest) => untilMs > nowMs && untilMs - nowMs <= restMs;
      return new Set([...rests].filter(([, rest]) => isAside(rest)).map(([id]) => id));
    },
    failed(id, nowMs) {
      for (const [other, { untilMs }] of rests) if (untilMs + FORGOTTEN_MS < nowMs) rests.delete(other);
      const restMs = Math.min((rests.get(id)?.restMs ?? FIRST_REST_MS / 2) * 2, LONGEST_REST_MS);
      rests.set(id, { untilMs: nowMs + restMs, restMs });
    },
    worked: (id) => void rests.delete(id),
  };
}
