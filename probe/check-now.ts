// Checks on demand: run at once, outside the schedule, and reported one by one.
import { setMaxListeners } from 'node:events';
import type { Assignments, Judgement } from '../src/probe-protocol/contract.ts';
import { type CheckOutcome, findingOf, notChecked } from './check-outcome.ts';
import type { Link } from './link.ts';
import { type Log, reasonOf } from './log.ts';
import { pause, type Retry } from './retry.ts';
import type { Slots } from './slots.ts';

export type Test = Assignments['tests'][number];

export type TestsOptions = {
  link: Link;
  probeId: string;
  retry: Retry;
  log: Log;
  /** Shared with the schedule: an organization's checks on demand leave it fewer slots for monitors. */
  slots: Slots;
  /** Runs the check; `judged` is called with each judgement, `onPrivate` for a private address. */
  run: (
    test: Test,
    ending: AbortController,
    listeners: { judged: (judgement: Judgement) => void; onPrivate: () => void },
  ) => Promise<CheckOutcome>;
};

export type Tests = { add(tests: readonly Test[]): void; stop(): void };

/** The wait for a slot. */
type Wait = { callOff: (() => boolean) | undefined };

/** The person who asked waits a little longer than the check's timeout. */
const SLOT_WITHIN_MS = 3_000;
const ANSWER_WITHIN_MS = 5_000;
/** The person who asked gives up soon after the check's timeout. */
const TRIES = 3;
const MAX_JUDGEMENTS = 200;
/** The longest text that the contract allows. */
const WHAT_CHARACTERS = 300;
const TEXT_CHARACTERS = 1024;

/** Accepts requests until stopped, and runs each as soon as a slot is free. */
export function startCheckNow({ link, probeId, retry, log, slots, run }: TestsOptions): Tests {
  const stopping = new AbortController();
  const waiting = new Set<Wait>();
  const underWay = new Set<AbortController>();
  setMaxListeners(0, stopping.signal);

  const perform = async (test: Test): Promise<void> => {
    const judgements: Judgement[] = [];
    const judged = (judgement: Judgement) => {
      if (judgements.length < MAX_JUDGEMENTS) judgements.push(shortened(judgement));
    };
    let reachedPrivate = false;
    const onPrivate = () => {
      reachedPrivate = true;
    };
    const ending = new AbortController();
    underWay.add(ending);
    const observed = await run(test, ending, { judged, onPrivate }).catch((error: unknown) =>
      notChecked('probe_error', findingOf(error).detail),
    );
    underWay.delete(ending);
    // Not a result: this probe stops.
    if (observed.failure_class === 'aborted') return;
    await answer(test, { observed, judgements, reached_private: reachedPrivate });
  };

  const answer = async (test: Test, outcome: object): Promise<void> => {
    const body = JSON.stringify({ probe_id: probeId, test_id: test.test_id, ...outcome });
    for (let attempt = 0; attempt < TRIES && !stopping.signal.aborted; attempt++) {
      const path = '/probe/test-results';
      const { signal } = stopping;
      const outcome = await link.call({ method: 'POST', path, body, timeoutMs: ANSWER_WITHIN_MS, signal });
      if (outcome.kind === 'ok') return;
      if (outcome.kind === 'refused') {
        log('error', 'The server does not accept the result of a test', { reason: outcome.message });
        return;
      }
      await pause(retry.delayMs(attempt, 0), signal);
    }
    if (!stopping.signal.aborted)
      log('warn', 'The result of a test could not be delivered and is dropped', { test_id: test.test_id });
  };

  const logDefect = (error: unknown) =>
    log('error', 'A test could not be answered: a defect in this probe', { reason: reasonOf(error) });

  return {
    add(tests) {
      for (const test of tests) {
        const wait: Wait = { callOff: undefined };
        const over = () => void waiting.delete(wait);
        waiting.add(wait);
        wait.callOff = slots.want({
          tenant: { organizationId: test.organization_id ?? '', ownerId: test.owner_id },
          withinMs: SLOT_WITHIN_MS,
          start(release) {
            over();
            void perform(test).catch(logDefect).finally(release);
          },
          late(why) {
            over();
            const observed = notChecked('probe_busy', why);
            void answer(test, { observed, judgements: [], reached_private: false }).catch(logDefect);
          },
        });
      }
    },
    stop() {
      stopping.abort();
      for (const ending of underWay) ending.abort();
      for (const { callOff } of waiting) callOff?.();
      waiting.clear();
    },
  };
}

function shortened({ what, expected, actual, ok }: Judgement): Judgement {
  return {
    what: what.slice(0, WHAT_CHARACTERS),
    expected: expected.slice(0, TEXT_CHARACTERS),
    actual: actual.slice(0, TEXT_CHARACTERS),
    ok,
  };
}
