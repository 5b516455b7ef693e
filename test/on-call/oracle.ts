// What a walk must come to: who is on duty, for whom what rings, and who was mailed and pushed when. Nothing of src in it.
import { type Delays, type Reached, type StepName, stepsOf, take } from './chain.ts';
import { makeDrills } from './drills.ts';
import { nextTurn, type Override, type Rotation, type Who } from './rotation.ts';
import type { Role, Settings } from './walk.ts';

export type Person = { role: Role | 'owner'; push: boolean; bounces: boolean };
export type Kind =
  | 'alarm'
  | 'alarm_escalated'
  | 'alarm_reminder'
  | 'alarm_acknowledged'
  | 'alarm_resolved'
  | 'alarm_commander'
  | 'drill'
  | 'drill_ended';
export type Notice = { who: Who; channel: 'mail' | 'push'; kind: Kind; atMs: number; sent: boolean };

export type Window = { monitor: number; fromMs: number; untilMs: number };
type Stored = { dueMs: number; waits: boolean };
type Alarm = Reached & {
  startMs: number;
  /** Steps to come. `waits`: it was due while on-call was off. */
  steps: Map<StepName, Stored>;
  reminders: number;
  notices: Notice[];
  /** Since when it is quiet. */
  pausedMs: number | null;
};
export type Incident = {
  id: string;
  open: boolean;
  acknowledged: boolean;
  commander: Who | null;
  remindMs: number | null;
  /** Its severity wakes people. */
  wakes: boolean;
  /** null: it is of none. */
  monitor: number | null;
  heldMs: number;
  /** null: it has not rung yet. */
  alarm: Alarm | null;
};

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** An alarm that rings for nobody is looked for after this. */
const RESCUED_AFTER_MS = 10_001;
const MAX_REMINDERS = 24;
const KIND: Record<StepName, Kind> = {
  start: 'alarm',
  mail: 'alarm',
  stage1: 'alarm_escalated',
  stage2: 'alarm_escalated',
  reminder: 'alarm_reminder',
};

export type Oracle = ReturnType<typeof makeOracle>;

export function makeOracle(people: Person[], zone: string) {
  const state = {
    enabled: true,
    planned: true,
    named: null as Who | null,
    roster: [] as readonly Who[],
    setMs: 0,
    overrides: [] as Override[],
  };
  const settings: Required<Omit<Settings, 'enabled'>> & Delays = {
    ...{ timezone: zone, rotation_mode: 'weekly', channel_step_minutes: 3 },
    ...{ escalation_stage1_minutes: 10, escalation_stage2_minutes: 20, reminder_minutes: 60 },
  };
  const incidents: Incident[] = [];
  const notices: Notice[] = [];
  const windows: Window[] = [];

  const mayTake = (who: Who | null): who is Who => {
    const role = who === null ? null : people[who]?.role;
    return role !== null && role !== undefined && role !== 'viewer';
  };
  const admins = () => people.flatMap(({ role }, who) => (role === 'owner' || role === 'admin' ? [who] : []));
  const rotation = (): Rotation => ({
    on: state.enabled && state.planned,
    zone: settings.timezone,
    mode: settings.rotation_mode,
    manual: mayTake(state.named) ? state.named : null,
    roster: state.roster.map((who) => (mayTake(who) ? who : null)),
    setMs: state.setMs,
    overrides: state.overrides.filter(({ who }) => mayTake(who)),
  });

  function send(who: Who, channel: 'mail' | 'push', kind: Kind, atMs: number): Notice[] {
    const person = people[who];
    if (!person || !mayTake(who) || (channel === 'push' && !person.push)) return [];
    const notice = { who, channel, kind, atMs, sent: channel === 'push' || !person.bounces };
    notices.push(notice);
    return [notice];
  }

  const drills = makeDrills({
    ...{ rotation, admins, delays: settings },
    send: (who, channel, kind, ms) => {
      const [notice] = send(who, channel, kind, ms);
      return notice ? (notice.sent ? 'arrived' : 'failed') : null;
    },
    hasPush: (who) => people[who]?.push === true,
  });

  function reach(alarm: Alarm, step: StepName, ms: number): void {
    for (const { who, by } of take(step, { rotation: rotation(), admins: admins(), ms }, alarm).people)
      for (const channel of by)
        if (channel !== 'loud_alarm') alarm.notices.push(...send(who, channel, KIND[step], ms));
  }

  function start(ms: number): Alarm {
    drills.end('real_alarm', null, ms);
    const alarm: Alarm = {
      ...{ startMs: ms, steps: new Map(), reminders: 0, notices: [], pausedMs: null },
      ...{ rings: new Set(), mailed: new Set() },
    };
    const steps = stepsOf(rotation(), settings);
    const stages = steps.some(({ step }) => step === 'stage2');
    for (const { step, minutes } of steps) {
      if (minutes === 0) reach(alarm, step, ms);
      // The reminder counts from the last stage, once that has been.
      else if (step !== 'reminder' || !stages)
        alarm.steps.set(step, { dueMs: ms + minutes * MINUTE_MS, waits: false });
    }
    return alarm;
  }

  function planReminder(alarm: Alarm, ms: number): void {
    const { reminder_minutes: minutes } = settings;
    if (minutes > 0 && alarm.reminders < MAX_REMINDERS)
      alarm.steps.set('reminder', { dueMs: ms + minutes * MINUTE_MS, waits: false });
  }

  function remind(alarm: Alarm, ms: number): void {
    const { reminder_minutes: minutes } = settings;
    const last = alarm.steps.get('stage2');
    if (last && rotation().on) {
      // Those begun while on-call was off wait for the last stage.
      alarm.steps.set('reminder', { dueMs: last.dueMs + minutes * MINUTE_MS, waits: false });
      return;
    }
    alarm.steps.delete('reminder');
    if (minutes === 0) return;
    alarm.reminders += 1;
    planReminder(alarm, ms);
    reach(alarm, 'reminder', ms);
  }

  function takeStep(alarm: Alarm, step: StepName, ms: number): void {
    const stored = alarm.steps.get(step);
    if (step === 'reminder') remind(alarm, ms);
    if (!stored || step === 'reminder') return;
    if (!rotation().on) {
      stored.waits = true;
      reach(alarm, 'start', ms);
      planReminder(alarm, ms);
      return;
    }
    alarm.steps.delete(step);
    reach(alarm, step, ms);
    if (step === 'stage2') planReminder(alarm, ms);
  }

  const dueIn = (alarm: Alarm) =>
    [...alarm.steps]
      .filter(([, { waits }]) => !waits || rotation().on)
      .map(([step, { dueMs }]) => ({ step, dueMs }))
      .sort((a, b) => a.dueMs - b.dueMs || rank(a.step) - rank(b.step));
  const rank = (step: StepName) => ['mail', 'stage1', 'stage2', 'reminder'].indexOf(step);
  const isMaintained = (monitor: number | null, ms: number) =>
    windows.some((each) => each.monitor === monitor && each.fromMs <= ms && ms < each.untilMs);
  const isQuiet = ({ monitor, heldMs }: Incident, ms: number) => heldMs > ms || isMaintained(monitor, ms);
  const waiting = () => incidents.filter(({ open, acknowledged, wakes }) => open && !acknowledged && wakes);
  const ringing = () =>
    waiting().flatMap(({ alarm }) => (alarm !== null && alarm.pausedMs === null ? [alarm] : []));
  const isDeserted = ({ rings }: Alarm) => ![...rings].some(mayTake);

  /** Alarms start, pause and go on. */
  function follow(ms: number): void {
    for (const incident of waiting()) {
      const quiet = isQuiet(incident, ms);
      const { alarm } = incident;
      if (alarm === null) incident.alarm = quiet ? null : start(ms);
      else if (quiet) alarm.pausedMs ??= ms;
      else if (alarm.pausedMs !== null) {
        for (const step of alarm.steps.values()) step.dueMs += ms - alarm.pausedMs;
        alarm.pausedMs = null;
      }
    }
  }

  /** What is due at this moment. */
  function run(ms: number): void {
    follow(ms);
    for (const alarm of ringing()) {
      for (let i = 0; i < 10; i++) {
        const [next] = dueIn(alarm);
        if (!next || next.dueMs > ms) break;
        takeStep(alarm, next.step, ms);
      }
      if (isDeserted(alarm) && ms >= alarm.startMs + RESCUED_AFTER_MS)
        for (const who of admins()) {
          alarm.rings.add(who);
          for (const channel of ['push', 'mail'] as const)
            alarm.notices.push(...send(who, channel, 'alarm', ms));
          alarm.mailed.add(who);
        }
    }
    drills.run(ms);
    for (const incident of incidents) {
      if (!incident.open || incident.remindMs === null || incident.remindMs > ms) continue;
      incident.remindMs = ms + DAY_MS;
      if (settings.reminder_minutes === 0 || isMaintained(incident.monitor, ms)) continue;
      if (incident.commander === null) continue;
      for (const channel of ['mail', 'push'] as const)
        send(incident.commander, channel, 'alarm_commander', ms);
    }
  }

  /** An alarm is over: those who were mailed or pushed hear how, except the one who ended it. */
  function end({ notices: own }: Alarm, kind: Kind, by: Who, ms: number): void {
    const notified = new Map(
      own.filter(({ sent }) => sent).map((each) => [`${each.who} ${each.channel}`, each]),
    );
    for (const { who, channel } of notified.values()) if (who !== by) send(who, channel, kind, ms);
  }

  return {
    state,
    settings,
    people,
    incidents,
    notices,
    rotation,
    admins,
    mayTake,
    run,
    /** Those that are not over, in the order in which they begin. */
    overridesAt: (ms: number): Override[] =>
      rotation()
        .overrides.filter(({ untilMs }) => untilMs > ms)
        .sort((a, b) => a.fromMs - b.fromMs || a.no - b.no),
    leave(who: Who): void {
      state.overrides = state.overrides.filter((each) => each.who !== who);
    },
    declare(id: string, wakes: boolean, monitor: number | null): void {
      const nobody = { acknowledged: false, commander: null, remindMs: null };
      incidents.unshift({ id, open: true, ...nobody, wakes, monitor, heldMs: 0, alarm: null });
    },
    acknowledge(incident: Incident, by: Who, ms: number): void {
      if (!incident.open || incident.acknowledged) return;
      Object.assign(incident, { acknowledged: true, remindMs: ms + DAY_MS });
      incident.commander ??= by;
      if (incident.alarm) end(incident.alarm, 'alarm_acknowledged', by, ms);
    },
    resolve(incident: Incident, by: Who, ms: number): void {
      if (!incident.open) return;
      incident.open = false;
      if (incident.alarm && !incident.acknowledged) end(incident.alarm, 'alarm_resolved', by, ms);
    },
    /** The incidents that ring for a person. */
    ringsFor: (who: Who, ms: number) =>
      waiting().filter((each) => each.alarm?.rings.has(who) && mayTake(who) && !isQuiet(each, ms)),
    isMaintained,
    windows,
    drills,
    /** An alarm has begun and is not over. */
    isAlarmed: () => waiting().some(({ alarm }) => alarm !== null),
    /** The moments after this one at which something happens. */
    dueAfter: (ms: number): number[] => {
      const steps = ringing().flatMap((alarm) => [
        ...dueIn(alarm).map(({ dueMs }) => dueMs),
        ...(isDeserted(alarm) ? [alarm.startMs + RESCUED_AFTER_MS] : []),
      ]);
      const reminders = incidents.flatMap(({ open, remindMs }) => (open && remindMs ? [remindMs] : []));
      const holds = waiting().map(({ heldMs }) => heldMs);
      const edges = windows.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]);
      return [...steps, ...reminders, ...holds, ...edges, ...drills.due()]
        .filter((at) => at > ms)
        .sort((a, b) => a - b);
    },
    /** The moments after this one at which the duty turns. */
    turnsAfter: (ms: number): number[] => {
      const turn = nextTurn(rotation(), ms);
      const edges = state.overrides.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]);
      return [...edges, ...(turn === null ? [] : [turn])].filter((at) => at > ms).sort((a, b) => a - b);
    },
  };
}
