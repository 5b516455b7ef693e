// A walk: what a job and the people of its monitor do, in random order. The same seed, the same walk.
import { type Chance, chance } from '../simulation/chance.ts';

export type Schedule =
  | { kind: 'period'; period_seconds: number }
  | { kind: 'cron'; expression: string; timezone: string };

export type Settings = {
  schedule: Schedule;
  graceSeconds: number;
  maxRuntimeSeconds: number | null;
  intervalSeconds: number;
};

/** Instants that decide, as they are when the walk comes there. */
export type Mark = 'now' | 'due' | 'late' | 'check' | 'overrun';

export type Step =
  /** Until so long after a mark; not at all where the mark has passed, or is none. */
  | { do: 'wait'; mark: Mark; ms: number }
  | { do: 'ping'; word: string; rid: string }
  /** No server runs. */
  | { do: 'away'; ms: number }
  | { do: 'edit'; settings: Partial<Settings> }
  /** `resolve`: a person closes the incident. */
  | { do: 'rename' | 'switch_off' | 'switch_on' | 'resolve' };

export type Walk = {
  settings: Settings;
  alarmConsecutive: number;
  recoveryConsecutive: number;
  steps: readonly Step[];
};

const KINDS: readonly (readonly [Step['do'], number])[] = [
  ['wait', 40],
  ['ping', 34],
  ['away', 8],
  ['edit', 6],
  ['rename', 2],
  ['switch_off', 3],
  ['switch_on', 6],
  ['resolve', 3],
];

const EXPRESSIONS = [
  '* * * * *',
  '*/5 * * * *',
  '7,37 * * * *',
  '0 */2 * * *',
  '30 2 * * *',
  '0 1-3 * * *',
  '15 4 * * 1',
];
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns'];

export function writeWalk(seed: number, count: number): Walk {
  const random = chance(seed);
  const among = KINDS.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));
  return {
    settings: settingsOf(random),
    alarmConsecutive: random.whole(1, 3),
    recoveryConsecutive: random.whole(1, 3),
    steps: Array.from({ length: count }, () => stepOf(random.one(among), random)),
  };
}

function settingsOf(random: Chance): Settings {
  const schedule: Schedule = random.happens(0.5)
    ? { kind: 'period', period_seconds: random.one([1, 10, 60, 300, 3600]) }
    : { kind: 'cron', expression: random.one(EXPRESSIONS), timezone: random.one(ZONES) };
  return {
    schedule,
    graceSeconds: random.one([0, 0, 5, 60, 600]),
    maxRuntimeSeconds: random.one([null, 5, 60, 900, 7200]),
    intervalSeconds: random.one([10, 20, 60, 300]),
  };
}

function stepOf(kind: Step['do'], random: Chance): Step {
  switch (kind) {
    case 'wait': {
      const mark = random.one<Mark>(['now', 'now', 'due', 'late', 'late', 'check', 'check', 'overrun']);
      const beside = random.one([-11_000, -10_000, -9_999, -1, 0, 1, 400, 1000, 5000]);
      const far = random.one([1, 500, 1000, 3000, 10_000, 15_000, 59_000, 70_000, 400_000]);
      return { do: 'wait', mark, ms: mark === 'now' ? far : beside };
    }
    case 'ping':
      return {
        do: 'ping',
        word: random.one(['', '', '', '', '/start', '/start', '/fail', '/0', '/3', '/-1']),
        rid: random.one(['', '', '', 'a', 'b']),
      };
    case 'away':
      return { do: 'away', ms: random.one([4000, 5001, 20_000, 61_000, 400_000, 4_000_000]) };
    case 'edit': {
      const settings = Object.entries(settingsOf(random)).filter(() => random.happens(0.4));
      return { do: 'edit', settings: Object.fromEntries(settings) };
    }
    default:
      return { do: kind };
  }
}

/** A walk in words, for a report. */
export function wordsOf({ settings, alarmConsecutive, recoveryConsecutive, steps }: Walk): string {
  const policy = `alarm after ${alarmConsecutive}, recovery after ${recoveryConsecutive}`;
  return [JSON.stringify(settings), policy, ...steps.map(inWords)].join('; ');
}

function inWords(step: Step): string {
  switch (step.do) {
    case 'wait':
      return step.mark === 'now' ? `wait ${step.ms} ms` : `wait until ${step.ms} ms after ${step.mark}`;
    case 'ping':
      return `ping ${step.word}${step.rid === '' ? '' : `?rid=${step.rid}`}`;
    case 'away':
      return `no server for ${step.ms} ms`;
    case 'edit':
      return `edit ${JSON.stringify(step.settings)}`;
    default:
      return step.do.replaceAll('_', ' ');
  }
}
