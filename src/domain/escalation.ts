// The steps of an alarm chain and their recipients (docs/rules/on-call-and-alarms.md#chain). Pure.
import { dutyAt, type Rota } from './rotation.ts';

/** The steps after the start. Steps that are due together are taken in this order. */
export const LATER_STEPS = ['mail', 'stage1', 'stage2'] as const;
export type LaterStep = (typeof LATER_STEPS)[number];
export type Step = 'start' | LaterStep;

export type Pace = {
  channel_step_minutes: number;
  escalation_stage1_minutes: number;
  escalation_stage2_minutes: number;
};

/** Minutes from the start of an alarm to each step. */
export function minutesUntil(pace: Pace): Record<Step, number> {
  return {
    start: 0,
    mail: pace.channel_step_minutes,
    stage1: pace.escalation_stage1_minutes,
    stage2: pace.escalation_stage2_minutes,
  };
}

export type Reach = {
  /** Each once. */
  userIds: string[];
  /** Nobody was on duty, or there is nobody else: the administrators are notified instead. */
  fallback: boolean;
};

/**
 * The recipients of a step at an instant; the alarm has `reached` these people before. The start and the mail go to the
 * person on duty. Stage 1 goes to the person on duty by then or, if the alarm has reached them already, to the next member
 * of the roster whom it has not. Stage 2 goes to everyone on the roster and the administrators. If a step has no recipient,
 * the administrators get it, so that no alarm goes unnoticed.
 */
export function reachOf(
  step: Step,
  rota: Rota,
  administrators: readonly string[],
  atMs: number,
  reached: ReadonlySet<string> = new Set(),
): Reach {
  if (step === 'stage2')
    return { userIds: [...new Set([...present(rota), ...administrators])], fallback: false };
  const one = step === 'stage1' ? nextToReach(rota, atMs, reached) : dutyAt(rota, atMs).userId;
  return one === null
    ? { userIds: [...administrators], fallback: true }
    : { userIds: [one], fallback: false };
}

/**
 * The person on duty if the alarm has not reached them (a handover since it began), else the next current member of the
 * roster whom it has not reached; null: there is none.
 */
function nextToReach(rota: Rota, atMs: number, reached: ReadonlySet<string>): string | null {
  const duty = dutyAt(rota, atMs);
  if (duty.userId !== null && !reached.has(duty.userId)) return duty.userId;
  const { roster } = rota;
  // A person whose duty was set by hand may be on the roster too: then their successor is next.
  const place = duty.place ?? (duty.userId === null ? -1 : roster.indexOf(duty.userId));
  for (let step = 1; step <= roster.length; step++) {
    const userId = roster[(place + step) % roster.length] ?? null;
    if (userId !== null && !reached.has(userId)) return userId;
  }
  return null;
}

const present = ({ roster }: Rota) => roster.filter((userId) => userId !== null);
