import { FairQueue, type Ticket } from '../src/domain/fair-queue.ts';
import type { Tenant } from './tenant.ts';

/** Starts and ends waits; tests inject a hand-driven one. */
export type Timer = { set(call: () => void, afterMs: number): unknown; clear(handle: never): void };

/** A request for a slot. */
export type Wanting = {
  /** The tenant that the slot is counted for. */
  tenant: Tenant;
  /** How long to wait for a slot. */
  withinMs: number;
  /** Called as soon as there is a slot, perhaps at once; the slot is held until `release`. */
  start: (release: () => void) => void;
  /** Called instead of `start` if there was none in time; `why` is a sentence for people. */
  late: (why: string) => void;
};

export type Slots = {
  /** Returns a function that cancels the wait: true if it had no slot yet, and then neither `start` nor `late` is called. */
  want(wanting: Wanting): () => boolean;
  /** Call it when tenants that were not admitted may be admitted now. */
  reconsider(): void;
  counts(): { held: number; waiting: number };
};

/** Running checks. One organization alone, or all of one owner, gets at most two thirds of them; the rest stays for others. */
const SLOTS = 3_000;
const MAX_HELD_PER_FREE = 2;

type Waiting = Wanting & { timer: unknown; ticket: Ticket<Waiting> | undefined };

/** Whether a check of a tenant may begin now, besides having a slot. */
export type Gate = (tenant: Tenant) => boolean;

/** The probe's slots for running checks, scheduled and on demand, shared fairly over organizations. */
export function sharedSlots(
  slots = SLOTS,
  timer: Timer = { set: setTimeout, clear: clearTimeout },
  admits: Gate = () => true,
): Slots {
  const queue = new FairQueue<Waiting>({ slots, maxHeldPerFree: MAX_HELD_PER_FREE });
  /** Not admitted for now, the longest waiting first. */
  const kept = new Set<Waiting>();

  const enqueue = (waiting: Waiting) => {
    const { organizationId, ownerId = null } = waiting.tenant;
    waiting.ticket = queue.enqueue(organizationId, waiting, ownerId);
  };

  const next = () => {
    for (let ticket = queue.take(); ticket !== undefined; ticket = queue.take()) begin(ticket);
  };

  const begin = (ticket: Ticket<Waiting>) => {
    const { item } = ticket;
    item.ticket = undefined;
    if (!admits(item.tenant)) {
      queue.release(ticket, 0);
      kept.add(item);
      return;
    }
    if (item.timer !== undefined) timer.clear(item.timer as never);
    let isReleased = false;
    item.start(() => {
      if (isReleased) return;
      isReleased = true;
      queue.release(ticket);
      next();
    });
  };

  return {
    want(wanting) {
      const { withinMs } = wanting;
      const { organizationId } = wanting.tenant;
      const waiting: Waiting = { ...wanting, timer: undefined, ticket: undefined };
      enqueue(waiting);
      next();
      const callOff = () => {
        const waited = waiting.ticket === undefined ? kept.delete(waiting) : queue.cancel(waiting.ticket);
        if (waited) timer.clear(waiting.timer as never);
        return waited;
      };
      if (waiting.ticket !== undefined || kept.has(waiting))
        waiting.timer = timer.set(() => {
          const why = kept.has(waiting) ? whyKept(withinMs) : whyLate(queue.heldBy(organizationId), withinMs);
          if (callOff()) wanting.late(why);
        }, withinMs);
      return callOff;
    },
    reconsider() {
      for (const waiting of kept) {
        if (!admits(waiting.tenant)) continue;
        kept.delete(waiting);
        enqueue(waiting);
        next();
      }
    },
    counts: () => ({ held: queue.held, waiting: queue.waiting + kept.size }),
  };
}

function whyKept(withinMs: number): string {
  const seconds = Math.round(withinMs / 100) / 10;
  return `This probe was late, and the checks of this organization, or of its owner, took more of its main loop than their share: this one did not begin within ${seconds} s`;
}

function whyLate(own: number, withinMs: number): string {
  const seconds = Math.round(withinMs / 100) / 10;
  if (own === 0) return `This probe had no free slot within ${seconds} s: too many checks are running`;
  return `This probe had no free slot within ${seconds} s: ${own} other checks of the same organization are running, as many as it may have`;
}
