// Whom a step of an alarm reaches, and by what: docs/rules/on-call-and-alarms.md#chain, #stage-1, #fallback and #without-on-call written
// down a second time, and nothing of src in it.
import { type Rotation, shiftAt, type Who } from './rotation.ts';

export type Channel = 'loud_alarm' | 'push' | 'mail';
export type StepName = 'start' | 'mail' | 'stage1' | 'stage2' | 'reminder';
export type Delays = {
  channel_step_minutes: number;
  escalation_stage1_minutes: number;
  escalation_stage2_minutes: number;
  reminder_minutes: number;
};
/** The people for whom an alarm rings, and those who were mailed. */
export type Reached = { rings: Set<Who>; mailed: Set<Who> };

type Notified = { fallback: boolean; people: { who: Who; by: Channel[] }[] };

/** Takes a step: whom it reaches by what, who are reached from then on. */
export function take(
  step: StepName,
  { rotation, admins, ms }: { rotation: Rotation; admins: readonly Who[]; ms: number },
  { rings, mailed }: Reached,
): Notified {
  const { who: duty, turn } = shiftAt(rotation, ms);
  const everyone = [...new Set([...rotation.roster.filter((who) => who !== null), ...admins])];
  let wanted: readonly Who[] | null = null;
  if (step === 'reminder' && rotation.on) wanted = everyone;
  if (step === 'stage2') wanted = everyone;
  if (step === 'start' || step === 'mail') wanted = duty === null ? null : [duty];
  if (step === 'stage1') {
    const next = duty !== null && !rings.has(duty) ? duty : follower(rotation, turn, duty, rings);
    wanted = next === null ? null : [next];
  }
  const fallback = wanted === null;
  const people = (wanted ?? admins).map((who) => {
    const by: Channel[] = [];
    if (step === 'reminder' || !rings.has(who)) by.push('loud_alarm', 'push');
    if (step === 'reminder' || ((step !== 'start' || fallback) && !mailed.has(who))) by.push('mail');
    return { who, by };
  });
  for (const { who, by } of people) {
    rings.add(who);
    if (by.includes('mail')) mailed.add(who);
  }
  return { fallback, people };
}

/** The next on the roster whom the alarm has not reached: after the one whose turn it is, or who was named. */
function follower(
  rotation: Rotation,
  turn: number | null,
  duty: Who | null,
  rings: ReadonlySet<Who>,
): Who | null {
  const { roster } = rotation;
  const place = turn ?? (duty === null ? -1 : roster.indexOf(duty));
  const inOrder = [...roster.slice(place + 1), ...roster.slice(0, place + 1)];
  return inOrder.find((who) => who !== null && !rings.has(who)) ?? null;
}

const ORDER: readonly StepName[] = ['start', 'mail', 'stage1', 'stage2', 'reminder'];

/** The steps of an alarm that starts now, in minutes from its start; those due together in the order in which they are taken. */
export function stepsOf({ on }: Rotation, delays: Delays): { step: StepName; minutes: number }[] {
  const { reminder_minutes: again } = delays;
  const last = on ? delays.escalation_stage2_minutes : 0;
  const steps: { step: StepName; minutes: number }[] = [{ step: 'start', minutes: 0 }];
  if (on)
    steps.push(
      { step: 'mail', minutes: delays.channel_step_minutes },
      { step: 'stage1', minutes: delays.escalation_stage1_minutes },
      { step: 'stage2', minutes: last },
    );
  if (again > 0) steps.push({ step: 'reminder', minutes: last + again });
  return steps.sort((a, b) => a.minutes - b.minutes || ORDER.indexOf(a.step) - ORDER.indexOf(b.step));
}

/** The plan that everybody can read, before anything happens. */
export function planOf(rotation: Rotation, admins: readonly Who[], delays: Delays, ms: number) {
  const reached = { rings: new Set<Who>(), mailed: new Set<Who>() };
  return stepsOf(rotation, delays)
    .map(({ step, minutes }) => {
      const at = { rotation, admins, ms: ms + minutes * 60_000 };
      const { fallback, people } = take(step, at, reached);
      return { step, minutes, fallback, people: people.filter(({ by }) => by.length > 0) };
    })
    .filter(({ step, people }) => step === 'start' || people.length > 0);
}
