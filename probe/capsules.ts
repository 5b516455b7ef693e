// Failure capsules at the probe: gathered once when the server asks, beside the checks, and posted one by one.
import type { Capsule } from '../src/capsules/contract.ts';
import type { Assignment, Assignments } from '../src/probe-protocol/contract.ts';
import type { Link } from './link.ts';
import { type Log, reasonOf } from './log.ts';
import { pause, type Retry } from './retry.ts';
import { type Slots, sharedSlots, type Wanting } from './slots.ts';

export type AskedCapsule = NonNullable<Assignments['capsules']>[number];

export type CapsulesOptions = {
  link: Link;
  probeId: string;
  retry: Retry;
  log: Log;
  /** Shared with the checks: an organization with many checks has fewer slots for capsules. */
  slots: Slots;
  /** The assignment of a monitor; undefined: this probe no longer checks it. */
  assignmentOf: (monitorId: string) => Assignment | undefined;
  /** Gathers a capsule; undefined if the monitor has none, or it was cancelled. */
  gather: (assignment: Assignment, ending: AbortController) => Promise<Capsule | undefined>;
};

/** Capsules at the same time, shared over organizations: each has a few connections and perhaps a process. */
const AT_A_TIME = 6;
const SLOT_WITHIN_MS = 60_000;
const ANSWER_WITHIN_MS = 10_000;
const TRIES = 3;

/** Accepts requests for capsules until stopped. One that finds no slot in time is not answered. */
export function startCapsules(options: CapsulesOptions): {
  add: (asked: readonly AskedCapsule[]) => void;
  stop: () => void;
} {
  const { link, probeId, retry, log, slots, assignmentOf, gather } = options;
  const stopping = new AbortController();
  const ownSlots = sharedSlots(AT_A_TIME);
  const underWay = new Set<AbortController>();
  const waits = new Set<() => boolean>();

  const post = async (capsule_id: string, capsule: Capsule): Promise<void> => {
    const body = JSON.stringify({ probe_id: probeId, capsule_id, capsule });
    const { signal } = stopping;
    for (let attempt = 0; attempt < TRIES && !signal.aborted; attempt++) {
      const call = { method: 'POST', path: '/probe/capsules', body, timeoutMs: ANSWER_WITHIN_MS } as const;
      const outcome = await link.call({ ...call, signal });
      if (outcome.kind === 'ok') return;
      if (outcome.kind === 'refused')
        return log('error', 'The server does not accept a failure capsule', { reason: outcome.message });
      await pause(retry.delayMs(attempt, 0), signal);
    }
    if (!signal.aborted)
      log('warn', 'A failure capsule could not be delivered and is dropped', { capsule_id });
  };

  const lookUp = async ({ capsule_id }: AskedCapsule, assignment: Assignment): Promise<void> => {
    if (stopping.signal.aborted) return;
    const ending = new AbortController();
    underWay.add(ending);
    try {
      const capsule = await gather(assignment, ending);
      if (capsule !== undefined) await post(capsule_id, capsule);
    } catch (error) {
      log('error', 'A failure capsule could not be gathered', { reason: reasonOf(error) });
    } finally {
      underWay.delete(ending);
    }
  };

  /** Waits until a slot is free, it is too late, or the probe stops. */
  const waitFor = (where: Slots, wanting: Wanting): void => {
    let isOver = false;
    let callOff: (() => boolean) | undefined;
    const over = () => {
      isOver = true;
      if (callOff) waits.delete(callOff);
    };
    callOff = where.want({
      ...wanting,
      start(release) {
        over();
        wanting.start(release);
      },
      late(why) {
        over();
        wanting.late(why);
      },
    });
    if (!isOver) waits.add(callOff);
  };

  const want = (asked: AskedCapsule, assignment: Assignment): void => {
    const { organization_id: organizationId = '', owner_id: ownerId } = assignment;
    const wanting = { tenant: { organizationId, ownerId }, withinMs: SLOT_WITHIN_MS };
    const late = (why: string) =>
      log('warn', 'A failure capsule was not gathered', { capsule_id: asked.capsule_id, reason: why });
    waitFor(ownSlots, {
      ...wanting,
      late,
      start: (leave) =>
        waitFor(slots, {
          ...wanting,
          late(why) {
            late(why);
            leave();
          },
          start(release) {
            void lookUp(asked, assignment).finally(() => {
              release();
              leave();
            });
          },
        }),
    });
  };

  return {
    add(asked) {
      for (const each of asked) {
        const assignment = assignmentOf(each.monitor_id);
        if (assignment !== undefined) want(each, assignment);
      }
    },
    stop() {
      stopping.abort();
      for (const ending of underWay) ending.abort();
      for (const callOff of waits) callOff();
      waits.clear();
    },
  };
}
