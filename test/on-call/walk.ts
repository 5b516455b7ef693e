// A walk: a roster, its overrides and the people on it, in random order. The same seed, the same walk.
import { type Chance, chance } from '../simulation/chance.ts';
import type { Who } from './rotation.ts';

/** Of an organization: its owner, and five others. */
export const PEOPLE = ['alice', 'anna', 'ben', 'carl', 'dora', 'emil'] as const;

/** Of which an incident may be; another may be of none. */
export const MONITORS = 2;

export type Role = 'admin' | 'member' | 'viewer' | null;

export type Step =
  /** To so many ms before or after the next, or a later, moment at which something turns. */
  | { do: 'turn'; later: number; ms: number }
  | { do: 'wait'; seconds: number }
  /** There is no server for so long. */
  | { do: 'away'; seconds: number }
  | { do: 'roster'; people: readonly Who[] }
  | { do: 'settings'; change: Settings }
  | { do: 'name'; who: Who | null }
  /** Whether the plan has on-call. */
  | { do: 'plan'; has: boolean }
  /** From so many seconds after now, or after the next turn, for so long. */
  | { do: 'override'; who: Who; atTurn: boolean; seconds: number; lasts: number }
  /** The newest is 0. */
  | { do: 'drop'; override: number }
  /** null: the person leaves. */
  | { do: 'become'; who: Who; role: Role }
  /** A person subscribes a browser, or removes it. */
  | { do: 'push'; who: Who; on: boolean }
  /** The mail server refuses the address of this person for good; null: nobody's. */
  | { do: 'bounce'; who: Who | null }
  | { do: 'declare'; severity: 'critical' | 'default' | 'degraded'; monitor: number | null }
  | { do: 'hold'; incident: number; seconds: number }
  /** A window that begins so many seconds from now. */
  | { do: 'maintain'; monitor: number; seconds: number; lasts: number }
  /** For one person, or for all. */
  | { do: 'drill'; who: Who | null }
  /** Acknowledged, or stopped. */
  | { do: 'end_drill'; who: Who; stop: boolean }
  /** The newest window is cancelled. */
  | { do: 'cancel' }
  /** The newest is 0. */
  | { do: 'acknowledge' | 'resolve'; who: Who; incident: number };

export type Settings = {
  enabled?: boolean;
  timezone?: string;
  rotation_mode?: 'weekly' | 'manual';
  channel_step_minutes?: number;
  escalation_stage1_minutes?: number;
  escalation_stage2_minutes?: number;
  reminder_minutes?: number;
};

export type Walk = { startMs: number; roster: readonly Who[]; zone: string; steps: readonly Step[] };

/** Zones, and days shortly before their clocks change. Tehran's once did so on a Monday at midnight. */
const CHANGES: readonly (readonly [string, string])[] = [
  ['Europe/Berlin', '2027-03-10'],
  ['Europe/Berlin', '2027-10-20'],
  ['America/New_York', '2028-03-01'],
  ['America/Santiago', '2027-09-01'],
  ['America/Havana', '2026-10-20'],
  ['Africa/Cairo', '2027-04-20'],
  ['Asia/Beirut', '2027-03-15'],
  ['Asia/Tehran', '2021-03-10'],
  ['Asia/Tehran', '2020-09-10'],
  ['Australia/Lord_Howe', '2027-03-20'],
  ['Atlantic/Azores', '2027-10-15'],
  ['Pacific/Kiritimati', '2027-06-01'],
  ['UTC', '2028-02-20'],
];

const KINDS: readonly (readonly [Step['do'], number])[] = [
  ['turn', 34],
  ['wait', 10],
  ['away', 4],
  ['roster', 5],
  ['settings', 9],
  ['name', 3],
  ['plan', 3],
  ['override', 10],
  ['drop', 3],
  ['become', 8],
  ['push', 4],
  ['bounce', 2],
  ['declare', 14],
  ['hold', 8],
  ['maintain', 6],
  ['cancel', 2],
  ['drill', 4],
  ['end_drill', 2],
  ['acknowledge', 4],
  ['resolve', 3],
];

export function writeWalk(seed: number, length: number): Walk {
  const random = chance(seed * 6007 + 11);
  const [zone, day] = random.one(CHANGES);
  // Each walk does more of some things than others, and some not at all.
  const among = KINDS.flatMap(([kind, weight]) => {
    const times = kind === 'turn' ? 1 : random.one([0, 1, 1, 2]);
    return Array.from({ length: weight * times }, () => kind);
  });
  // Most walks follow an alarm by minutes, the others the roster by weeks.
  const waits = random.happens(0.7) ? [1, 60, 179, 600, 3600] : [600, 3600, 86_400, 200_000, 700_000];
  return {
    startMs: Date.parse(`${day}T00:00:00Z`) + random.whole(0, 7 * 86_400) * 1000,
    roster: some(random),
    zone,
    steps: Array.from({ length }, () => stepOf(random.one(among), random, waits)),
  };
}

const anybody = (random: Chance): Who => random.whole(0, PEOPLE.length - 1);
const some = (random: Chance): Who[] =>
  Array.from({ length: PEOPLE.length }, (_, who) => who)
    .toSorted(() => random.share() - 0.5)
    .slice(0, random.one([1, 2, 3, 3, 4, 5]));

function stepOf(kind: Step['do'], random: Chance, waits: readonly number[]): Step {
  const who = anybody(random);
  switch (kind) {
    case 'turn':
      return { do: kind, later: random.one([0, 0, 0, 0, 1, 2]), ms: random.one([-1, 0, 0, 0, 1]) };
    case 'wait':
      return { do: kind, seconds: random.one(waits) };
    case 'away':
      return { do: kind, seconds: random.one([30, 300, 1200, 5000]) };
    case 'roster':
      return { do: kind, people: random.happens(0.1) ? [] : some(random) };
    case 'settings':
      return { do: kind, change: changeOf(random) };
    case 'name':
      return { do: kind, who: random.happens(0.2) ? null : who };
    case 'plan':
      return { do: kind, has: random.happens(0.6) };
    case 'override': {
      const seconds = random.one([-7200, -60, 0, 0, 300, 3600, 90_000, 500_000]);
      const lasts = random.one([60, 600, 3600, 43_200, 90_000, 700_000, 1_300_000]);
      return { do: kind, who, atTurn: random.happens(0.4), seconds, lasts };
    }
    case 'drop':
      return { do: kind, override: random.whole(0, 3) };
    case 'become':
      return { do: kind, who, role: random.one(['admin', 'member', 'member', 'viewer', null]) };
    case 'push':
      return { do: kind, who, on: random.happens(0.7) };
    case 'bounce':
      return { do: kind, who: random.happens(0.4) ? null : who };
    case 'declare':
      return {
        do: kind,
        severity: random.one(['critical', 'critical', 'default', 'degraded']),
        monitor: random.happens(0.3) ? null : random.whole(0, MONITORS - 1),
      };
    case 'hold':
      return {
        do: kind,
        incident: random.one([0, 0, 0, 1]),
        seconds: random.one([0, 60, 180, 600, 3600, 80_000]),
      };
    case 'maintain':
      return {
        ...{ do: kind, monitor: random.whole(0, MONITORS - 1), seconds: random.one([0, 0, 0, 60, 600]) },
        lasts: random.one([60, 300, 600, 3600, 90_000]),
      };
    case 'cancel':
      return { do: kind };
    case 'drill':
      return { do: kind, who: random.happens(0.6) ? null : who };
    case 'end_drill':
      return { do: kind, who, stop: random.happens(0.4) };
    default:
      return { do: kind, who, incident: random.whole(0, 3) };
  }
}

function changeOf(random: Chance): Settings {
  switch (random.whole(0, 6)) {
    case 0:
    case 1:
      return { enabled: random.happens(0.6) };
    case 2:
      return { timezone: random.one(CHANGES)[0] };
    case 3:
      return { rotation_mode: random.one(['weekly', 'weekly', 'manual']) };
    case 4:
      return { reminder_minutes: random.one([0, 5, 10, 60, 1440]) };
    case 5:
      return { channel_step_minutes: random.one([0, 0, 3, 15, 60]) };
    default: {
      const stage1 = random.one([1, 5, 10, 60, 1000]);
      return {
        escalation_stage1_minutes: stage1,
        escalation_stage2_minutes: stage1 + random.one([0, 1, 10, 60]),
      };
    }
  }
}

/** A walk in words, for a report. */
export const wordsOf = ({ startMs, roster, zone, steps }: Walk): string =>
  [
    `from ${new Date(startMs).toISOString()} in ${zone} with ${roster.map((who) => PEOPLE[who]).join(', ')}`,
    ...steps.map(({ do: kind, ...rest }) =>
      [kind, ...Object.entries(rest).map(([key, value]) => `${key} ${named(key, value)}`)].join(' '),
    ),
  ].join('; ');

const named = (key: string, value: unknown): string => {
  if (key === 'who') return PEOPLE[value as Who] ?? 'nobody';
  if (key === 'people') return (value as Who[]).map((who) => PEOPLE[who]).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
