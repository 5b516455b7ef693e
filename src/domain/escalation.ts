// The steps of an alarm chain, and whom each reaches (docs/rules/on-call-and-alarms.md#chain). Pure.
import { dutyAt, type Rota } from './rotation.ts';

/** What comes after the start, in the order in which steps that are due together are taken. */
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
  /** Nobody was on duty, or there is nobody else: the administrators are told instead. */
  fallback: boolean;
};

/**
 * Whom a step reaches at an instant, where the alarm has `reached` these people before. The start and the mail are for who
 * is on duty, stage 1 for who is on duty by then, else for the next member of the roster, whoever of them does not know yet;
 * stage 2 is for everyone on it and the administrators. Where that is nobody it is the administrators, so that no alarm goes
 * unheard.
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
 * Who is on duty, if the duty was handed over since the alarm began, else the next member of the roster who is still there
 * and was not reached; null: there is none.
 */
function nextToReach(rota: Rota, atMs: number, reached: ReadonlySet<string>): string | null {
  const duty = dutyAt(rota, atMs);
  if (duty.userId !== null && !reached.has(duty.userId)) return duty.userId;
  const { roster } = rota;
  // Set by hand, somebody may be on duty who is on the roster too: then their successor is meant.
  const place = duty.place ?? (duty.userId === null ? -1 : roster.indexOf(duty.userId));
  for (let step = 1; step <= roster.length; step++) {
    const userId = roster[(place + step) % roster.length] ?? null;
    if (userId !== null && !reached.has(userId)) return userId;
  }
  return null;
}

const present = ({ roster }: Rota) => roster.filter((userId) => userId !== null);
