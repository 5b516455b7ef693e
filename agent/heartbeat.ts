import type { Heartbeat } from '../src/agents/protocol-contract.ts';
import type { Moment } from './clock.ts';

/** Sent with the newest heartbeat only, because nobody needs an old list of processes. */
export type Inventory = Required<Pick<Heartbeat, 'processes' | 'service_inventory'>>;

/** One look at the machine. */
export type Beat = Omit<Heartbeat, 'sent_at_ms' | keyof Inventory>;

/** A heartbeat that was not delivered yet. */
export type Entry = {
  moment: Moment;
  /** Its time on the server's clock; null: taken before the server's time was known. */
  atMs: number | null;
  beat: Beat;
};

/** Whether a value read from disk is an entry: a torn or damaged line is none. */
export function isEntry(value: unknown): value is Entry {
  if (!isRecord(value) || !isRecord(value.moment) || !isRecord(value.beat)) return false;
  const { boot, steadyMs, wallMs } = value.moment;
  return (
    typeof boot === 'string' &&
    Number.isFinite(steadyMs) &&
    Number.isFinite(wallMs) &&
    (value.atMs === null || Number.isFinite(value.atMs)) &&
    isRecord(value.beat.readings)
  );
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
