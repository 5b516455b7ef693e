// The steps of an alarm chain and their recipients (docs/rules/on-call-and-alarms.md#chain). Pure.
import { ALARM_CHANNELS } from './names.ts';
import { dutyAt, type Rotation } from './rotation.ts';

/** The steps after the start. Steps that are due together are taken in this order. */
export const LATER_STEPS = ['mail', 'stage1', 'stage2'] as const;
export type LaterStep = (typeof LATER_STEPS)[number];
/** The reminder comes after the last stage, again and again. */
export const STORED_STEPS = [...LATER_STEPS, 'reminder'] as const;
export type StoredStep = (typeof STORED_STEPS)[number];
export type Step = 'start' | StoredStep;

/** An alarm that nobody takes reminds people this many times. */
export const MAX_REMINDERS = 24;

export type EscalationDelays = {
  channel_step_minutes: number;
  escalation_stage1_minutes: number;
  escalation_stage2_minutes: number;
  /** Minutes from the last stage to the first reminder, and from each reminder to the next; 0: none. */
  reminder_minutes: number;
};

export type AlarmChannel = (typeof ALARM_CHANNELS)[number];

/** Minutes from the start of an alarm to each step of its chain. */
export function minutesUntil(
  delays: Omit<EscalationDelays, 'reminder_minutes'>,
): Record<'start' | LaterStep, number> {
  return {
    start: 0,
    mail: delays.channel_step_minutes,
    stage1: delays.escalation_stage1_minutes,
    stage2: delays.escalation_stage2_minutes,
  };
}

export type Recipients = {
  /** Each once. */
  userIds: string[];
  /** Nobody was on duty, or there is nobody else: the administrators are notified instead. */
  fallback: boolean;
};

/**
 * The recipients of a step at an instant; the alarm has `reached` these people before. The start and the mail go to the
 * person on duty. Stage 1 goes to the person on duty by then or, if the alarm has reached them already, to the next member
 * of the roster whom it has not. Stage 2 goes to everyone on the roster and the administrators, and the
 * reminder to everyone of the last stage. If a step has no recipient, the administrators get it, so that no alarm goes
 * unnoticed.
 */
export function recipientsOf(
  step: Step,
  rotation: Rotation,
  administrators: readonly string[],
  atMs: number,
  reached: ReadonlySet<string> = new Set(),
): Recipients {
  if (step === 'stage2' || (step === 'reminder' && rotation.active))
    return { userIds: [...new Set([...present(rotation), ...administrators])], fallback: false };
  const one = step === 'stage1' ? nextToReach(rotation, atMs, reached) : dutyAt(rotation, atMs).userId;
  return one === null
    ? { userIds: [...administrators], fallback: true }
    : { userIds: [one], fallback: false };
}

/**
 * The person on duty if the alarm has not reached them (a handover since it began), else the next current member of the
 * roster whom it has not reached; null: there is none.
 */
function nextToReach(rotation: Rotation, atMs: number, reached: ReadonlySet<string>): string | null {
  const duty = dutyAt(rotation, atMs);
  if (duty.userId !== null && !reached.has(duty.userId)) return duty.userId;
  const { roster } = rotation;
  // A person whose duty was set by hand may be on the roster too: then their successor is next.
  const place = duty.place ?? (duty.userId === null ? -1 : roster.indexOf(duty.userId));
  for (let step = 1; step <= roster.length; step++) {
    const userId = roster[(place + step) % roster.length] ?? null;
    if (userId !== null && !reached.has(userId)) return userId;
  }
  return null;
}

const present = ({ roster }: Rotation) => roster.filter((userId) => userId !== null);

/** The people for whom an alarm rings so far, and those who were mailed. */
export type Known = { rings: ReadonlySet<string>; mailed: ReadonlySet<string> };

/** A recipient of a step, and the channels that reach them; none if the alarm has reached them already. */
export type Reached = { userId: string; by: readonly AlarmChannel[] };

/**
 * The people that a step reaches, and the channels. Nobody is mailed twice, and a step rings and pushes only for people for
 * whom the alarm does not ring yet; a reminder uses every channel again. The start leaves the mail to its step, except for
 * administrators: they are notified instead of somebody on duty, so nothing waits.
 */
export function notifyBy(
  step: Step,
  rotation: Rotation,
  administrators: readonly string[],
  atMs: number,
  { rings, mailed }: Known,
): { reaches: Reached[]; fallback: boolean } {
  const { userIds, fallback } = recipientsOf(step, rotation, administrators, atMs, rings);
  const again = step === 'reminder';
  const mails = step !== 'start' || fallback;
  const reaches = userIds.map((userId) => ({
    userId,
    by: ALARM_CHANNELS.filter((way) =>
      way === 'mail' ? again || (mails && !mailed.has(userId)) : again || !rings.has(userId),
    ),
  }));
  return { reaches, fallback };
}

export type PlannedStep = { step: Step; afterMinutes: number; fallback: boolean; reaches: Reached[] };

/**
 * The chain of an alarm that starts at `startMs`, as far as it is known then, in the order in which its steps come. An alarm
 * is started by this plan and previewed by it. Without on-call it is the start and the reminder.
 */
export function planChain(
  rotation: Rotation,
  administrators: readonly string[],
  delays: EscalationDelays,
  startMs: number,
): PlannedStep[] {
  const minutes = minutesUntil(delays);
  const unsorted: [Step, number][] = (['start', ...(rotation.active ? LATER_STEPS : [])] as const).map(
    (step) => [step, minutes[step]],
  );
  // Counts from the last stage, although the mail may come after it.
  const lastStage = rotation.active ? minutes.stage2 : minutes.start;
  if (delays.reminder_minutes > 0) unsorted.push(['reminder', lastStage + delays.reminder_minutes]);
  // Stable: steps that are due together keep this order.
  const chain = unsorted.toSorted(([, a], [, b]) => a - b);
  const rings = new Set<string>();
  const mailed = new Set<string>();
  return chain.map(([step, afterMinutes]) => {
    const notified = notifyBy(step, rotation, administrators, startMs + afterMinutes * 60_000, {
      rings,
      mailed,
    });
    for (const { userId, by } of notified.reaches) {
      rings.add(userId);
      if (by.includes('mail')) mailed.add(userId);
    }
    return { step, afterMinutes, ...notified };
  });
}
