/**
 * The outcome of one try of a delivery. `status` is a status outside 2xx; `contradicted` a 2xx whose body reports a
 * failure; `unsendable` a delivery that cannot be made into a request; `not_tried` means that this machine ran out of
 * descriptors, ports or memory, or was so `late` that its lease could have run out meanwhile, which says nothing about the receiver. `isOurs`: this machine forbade the connection, or could not try it. `retryAfterMs` is the pause that the receiver
 * asked for.
 */
export type DeliveryOutcome =
  | { kind: 'delivered' }
  | { kind: 'network'; isOurs?: boolean }
  | { kind: 'not_tried'; late?: true }
  | { kind: 'unsendable' }
  | { kind: 'contradicted'; retryAfterMs: number | null }
  | { kind: 'status'; status: number; retryAfterMs: number | null };

export type FailedOutcome = Exclude<DeliveryOutcome, { kind: 'delivered' }>;

export type NextTry =
  | { kind: 'retry'; inMs: number }
  | { kind: 'give_up'; why: 'tries_used_up' | 'refused' }
  | { kind: 'deactivate' };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pause before each try, the first one's being 0 (docs/rules/notifications.md#retries). */
export const PAUSES_MS: readonly number[] = [
  0,
  5 * SECOND,
  15 * SECOND,
  45 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

const JITTER = 0.2;
/** A machine out of descriptors or ports has some again within seconds, or needs the operator. */
const NOT_TRIED_PAUSE_MS = 5 * SECOND;
const TRIES_WHEN_REFUSED = 7;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;
/** Client errors that pass with time: timeout, conflict, too early, too many requests. */
const PASSING_REFUSALS = new Set([408, 409, 425, 429]);

/**
 * How long to wait, in milliseconds, after this machine ran out of descriptors, ports or memory for a try. It never
 * advances the schedule, because that says nothing about the receiver. `random` is in [0, 1).
 */
export const pauseWhenNotTried = (random: number): number => jitter(NOT_TRIED_PAUSE_MS, random);

const jitter = (ms: number, random: number): number => Math.round(ms * (1 + (random * 2 - 1) * JITTER));

/**
 * The next step after a failed try (docs/rules/notifications.md#retries): `attempt` is the number of the try that failed, from
 * 1; `random` is in [0, 1) and moves the pause by up to 20 % either way. 408, 409, 425, 429, 5xx, network errors and a
 * 2xx that reports a failure get the whole schedule, and so do redirects, which are not followed; other 4xx, and what cannot be made
 * into a request, its first seven tries. 410 deactivates the target, except a paging target, which is never switched off: there it counts like
 * other 4xx. A delivery that was not tried at all is tried soon, as often as necessary. No try comes earlier than
 * `Retry-After` asks for, up to 24 h.
 */
export function nextTry({
  attempt,
  outcome,
  random,
  paging,
}: {
  attempt: number;
  outcome: FailedOutcome;
  random: number;
  paging: boolean;
}): NextTry {
  if (outcome.kind === 'status' && outcome.status === 410 && !paging) return { kind: 'deactivate' };
  if (outcome.kind === 'not_tried')
    return { kind: 'retry', inMs: outcome.late ? 0 : pauseWhenNotTried(random) };
  const refused =
    outcome.kind === 'unsendable' ||
    (outcome.kind === 'status' && isClientError(outcome.status) && !PASSING_REFUSALS.has(outcome.status));
  const pauseMs = PAUSES_MS[attempt];
  if (pauseMs === undefined) return { kind: 'give_up', why: 'tries_used_up' };
  if (refused && attempt >= TRIES_WHEN_REFUSED) return { kind: 'give_up', why: 'refused' };
  const jittered = jitter(pauseMs, random);
  const asked = 'retryAfterMs' in outcome ? (outcome.retryAfterMs ?? 0) : 0;
  return { kind: 'retry', inMs: Math.max(jittered, Math.min(asked, LONGEST_RETRY_AFTER_MS)) };
}

const isClientError = (status: number): boolean => status >= 400 && status <= 499;
