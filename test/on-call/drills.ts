// Fire drills: docs/rules/on-call-and-alarms.md#fire-drills written down a second time, and nothing of src in it.
import { type Delays, type Reached, type StepName, stepsOf, take } from './chain.ts';
import type { Rotation, Who } from './rotation.ts';

export type Outcome = 'acknowledged' | 'stopped' | 'unanswered' | 'real_alarm';
type Line = { who: Who; channel: string; state: 'waiting' | 'arrived' | 'failed' | 'cancelled' };
export type Drill = Reached & {
  id: string;
  /** null: for all. */
  only: Who | null;
  startedMs: number;
  /** Steps to come. */
  steps: { step: StepName; dueMs: number }[];
  endsMs: number;
  outcome: Outcome | null;
  lines: Line[];
};

const MINUTE_MS = 60_000;
const PATIENCE_MS = 15 * MINUTE_MS;
const DAY_MS = 86_400_000;
const MAX_A_DAY = 10;

export type Drills = ReturnType<typeof makeDrills>;

/** `send` answers how it went; null: it was not sent. `hasPush`: somebody has a browser that takes pushes. */
export function makeDrills(of: {
  rotation: () => Rotation;
  admins: () => readonly Who[];
  delays: Delays;
  send: (
    who: Who,
    channel: 'mail' | 'push',
    kind: 'drill' | 'drill_ended',
    ms: number,
  ) => 'arrived' | 'failed' | null;
  hasPush: (who: Who) => boolean;
}) {
  /** The newest first. */
  const drills: Drill[] = [];
  const running = () => drills.find(({ outcome }) => outcome === null);

  /** For one person it is as if they alone were on duty, on the roster and an admin. */
  function sceneOf({ only }: Drill): { rotation: Rotation; admins: readonly Who[] } {
    const rotation = of.rotation();
    if (only === null) return { rotation, admins: of.admins() };
    const alone = { on: true, mode: 'manual' as const, manual: only, roster: [only], overrides: [] };
    return { rotation: { ...rotation, ...alone }, admins: [only] };
  }

  /** `ends`: the drill ends at this instant, too, before anything is sent. */
  function reach(drill: Drill, step: StepName, ms: number, { ends = false } = {}): void {
    const send = (who: Who, channel: 'mail' | 'push') => (ends ? null : of.send(who, channel, 'drill', ms));
    for (const { who, by } of take(step, { ...sceneOf(drill), ms }, drill).people)
      for (const channel of by) {
        if (drill.lines.some((line) => line.who === who && line.channel === channel)) continue;
        const sent = channel === 'loud_alarm' ? null : send(who, channel);
        const state = sent ?? (channel === 'push' && !of.hasPush(who) ? 'failed' : 'waiting');
        drill.lines.push({ who, channel, state });
      }
  }

  function end(drill: Drill, outcome: Outcome, by: Who | null, ms: number): void {
    drill.outcome = outcome;
    for (const line of drill.lines) {
      if (line.state === 'arrived' && line.who !== by && line.channel !== 'loud_alarm')
        of.send(line.who, line.channel as 'mail' | 'push', 'drill_ended', ms);
      if (line.state === 'waiting') line.state = line.channel === 'loud_alarm' ? 'failed' : 'cancelled';
    }
  }

  return {
    all: drills,
    running,
    /** The status of a refusal, or false. */
    refused: (isRinging: boolean, ms: number): number | false => {
      if (running() || isRinging) return 409;
      return drills.filter(({ startedMs }) => startedMs > ms - DAY_MS).length >= MAX_A_DAY && 429;
    },
    start(id: string, only: Who | null, ms: number): void {
      const none = { rings: new Set<Who>(), mailed: new Set<Who>(), lines: [], outcome: null };
      const drill: Drill = { id, only, startedMs: ms, steps: [], endsMs: ms, ...none };
      drills.unshift(drill);
      for (const { step, minutes } of stepsOf(sceneOf(drill).rotation, of.delays)) {
        if (step === 'reminder') continue;
        const dueMs = ms + minutes * MINUTE_MS;
        drill.endsMs = dueMs + PATIENCE_MS;
        if (minutes === 0) reach(drill, step, ms);
        else drill.steps.push({ step, dueMs });
      }
    },
    end(outcome: Outcome, by: Who | null, ms: number): void {
      const drill = running();
      if (drill) end(drill, outcome, by, ms);
    },
    run(ms: number): void {
      const drill = running();
      if (!drill) return;
      const ends = drill.endsMs <= ms;
      for (const { step } of drill.steps.filter(({ dueMs }) => dueMs <= ms)) reach(drill, step, ms, { ends });
      drill.steps = drill.steps.filter(({ dueMs }) => dueMs > ms);
      if (ends) end(drill, 'unanswered', null, ms);
    },
    due: (): number[] => {
      const drill = running();
      return drill ? [drill.endsMs, ...drill.steps.map(({ dueMs }) => dueMs)] : [];
    },
  };
}
