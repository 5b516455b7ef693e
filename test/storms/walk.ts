// A walk: what happens to a handful of monitors and to whom their alarms page, in random order. The same seed, the same walk.
import { type Chance, chance } from '../simulation/chance.ts';

/** Monitors of a walk. */
export const MONITORS = 5;

/** One thing that happens. */
export type Single = (
  | { do: 'fail' | 'recover'; monitors: readonly number[] }
  | { do: 'wait'; seconds: number }
  | { do: 'acknowledge'; monitor: number; group: boolean }
  | { do: 'hold'; monitor: number; seconds: number }
  | { do: 'maintain'; monitors: readonly number[]; seconds: number }
  // `declare`: a person opens an incident; `resolve`: one closes the newest.
  | { do: 'declare' | 'note' | 'resolve' | 'discard' | 'delete'; monitor: number }
  // A server dies with the next messages, or mails, that it sends, whether they `arrive` or not.
  | { do: 'die' | 'die_mailing'; arrive: boolean }
  // It lives, and gets the answers so long after its lease has expired.
  | { do: 'be_late' | 'be_late_mailing'; arrive: boolean; seconds: number }
  // A delivery of a target is replayed, the newest being 0.
  | { do: 'replay'; target: number; delivery: number }
  // PagerDuty, or Opsgenie, subscribes to an event, or no longer.
  | { do: 'subscribe'; opsgenie: boolean; event: string }
  // The monitor gets the tag that filters ask for, or loses it.
  | { do: 'tag'; monitor: number }
  // PagerDuty is switched off and on, or Opsgenie.
  | { do: 'target_off' | 'target_on'; opsgenie: boolean }
  // The filters of targets are removed, or set again.
  | { do: 'filter' }
  | { do: 'end_maintenance' | 'pager_down' | 'pager_up' | 'mail_down' | 'mail_up' | 'sweep' }
) & {
  /** At the second server. */
  second?: boolean;
};

/** `together`: at the same moment. */
export type Step = Single | { do: 'together'; steps: readonly Single[] };

const KINDS: readonly (readonly [Single['do'], number])[] = [
  ['fail', 28],
  ['recover', 14],
  ['wait', 22],
  ['acknowledge', 9],
  ['hold', 6],
  ['maintain', 5],
  ['end_maintenance', 3],
  ['declare', 3],
  ['note', 2],
  ['resolve', 4],
  ['discard', 3],
  ['delete', 3],
  ['pager_down', 3],
  ['pager_up', 4],
  ['mail_down', 2],
  ['mail_up', 3],
  ['target_off', 3],
  ['target_on', 5],
  ['die', 4],
  ['die_mailing', 3],
  ['be_late', 4],
  ['be_late_mailing', 2],
  ['tag', 2],
  ['replay', 4],
  ['filter', 3],
  ['subscribe', 3],
  ['sweep', 1],
];

/** By what the targets leave incidents out that have a filter. */
export const FILTERS = ['none', 'tag', 'project', 'severity'] as const;

/** `onCall`: alarms have steps. `degraded`: the last monitor wakes nobody. */
export type Walk = {
  onCall: boolean;
  degraded: boolean;
  filter: (typeof FILTERS)[number];
  steps: readonly Step[];
};

/** Writes a walk of so many steps. */
export function writeWalk(seed: number, length: number): Walk {
  const random = chance(seed);
  // Each walk does more of some things than others, and some not at all: so it gets further into what these do together.
  const among = KINDS.flatMap(([kind, weight]) => {
    const times = kind === 'fail' || kind === 'wait' ? 1 : random.one([0, 1, 1, 3]);
    return Array.from({ length: weight * times }, () => kind);
  });
  const single = (): Single => ({
    ...stepOf(random.one(among), random),
    ...(random.happens(0.4) ? { second: true } : {}),
  });
  const steps = Array.from({ length }, (): Step => {
    if (!random.happens(0.15)) return single();
    return { do: 'together', steps: [single(), single()].filter(mayBeMixed) };
  });
  return {
    onCall: random.happens(0.5),
    degraded: random.happens(0.3),
    filter: random.one(FILTERS),
    steps,
  };
}

const ALONE: readonly Single['do'][] = ['wait', 'tag', 'filter', 'subscribe'];
/** Whether it does not matter to the judges what happened before it at the same moment. */
const mayBeMixed = (step: Single) => !ALONE.includes(step.do) && !('opsgenie' in step && step.opsgenie);

function stepOf(kind: Single['do'], random: Chance): Single {
  const monitor = () => random.whole(0, MONITORS - 1);
  const some = () => {
    const wanted = random.one([1, 1, 1, 2, 3, MONITORS]);
    return Array.from({ length: MONITORS }, (_, i) => i)
      .toSorted(() => random.share() - 0.5)
      .slice(0, wanted);
  };
  switch (kind) {
    case 'fail':
    case 'recover':
      return { do: kind, monitors: some() };
    case 'wait':
      return { do: kind, seconds: random.one([2, 5, 8, 20, 30, 59, 61, 120, 400, 1200]) };
    case 'acknowledge':
      return { do: kind, monitor: monitor(), group: random.happens(0.4) };
    case 'hold':
      return { do: kind, monitor: monitor(), seconds: random.one([0, 0, 20, 90, 600]) };
    case 'maintain':
      return { do: kind, monitors: some(), seconds: random.one([60, 120, 600]) };
    case 'declare':
    case 'note':
    case 'resolve':
    case 'discard':
    case 'delete':
    case 'tag':
      return { do: kind, monitor: monitor() };
    case 'target_off':
    case 'target_on':
      return { do: kind, opsgenie: random.happens(0.5) };
    case 'die':
    case 'die_mailing':
      return { do: kind, arrive: random.happens(0.5) };
    case 'be_late':
      return { do: kind, arrive: random.happens(0.5), seconds: random.one([0, 1, 20, 70]) };
    case 'be_late_mailing':
      return { do: kind, arrive: random.happens(0.5), seconds: random.one([1, 5, 20, 70]) };
    case 'replay':
      return { do: kind, target: random.whole(0, 5), delivery: random.whole(0, 9) };
    case 'subscribe':
      return {
        ...{ do: kind, opsgenie: random.happens(0.5) },
        event: random.one(['opened', 'acknowledged', 'acknowledged', 'resolved']),
      };
    default:
      return { do: kind };
  }
}

/** A walk in words, for a report. */
export const wordsOf = ({ onCall, degraded, filter, steps }: Walk): string =>
  [
    ...(onCall ? ['on-call'] : []),
    ...(degraded ? ['degraded'] : []),
    ...(filter === 'none' ? [] : [`filter by ${filter}`]),
    ...steps.map(inWords),
  ].join('; ');

function inWords(step: Step): string {
  if (step.do === 'together') return `together (${step.steps.map(inWords).join(' and ')})`;
  const { do: kind, ...rest } = step;
  const values = Object.entries(rest).flatMap(([key, value]) => {
    if (value === false) return [];
    if (value === true) return [key];
    return [key === 'seconds' ? `${value} s` : String(value)];
  });
  return [kind.replaceAll('_', ' '), ...values].join(' ');
}
