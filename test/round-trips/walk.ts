// A walk: an organization comes about and changes in random order, and is taken out and put back meanwhile. The same seed, the same walk.
import { type Chance, chance } from '../simulation/chance.ts';
import * as contents from './contents.ts';

type Fields = Record<string, unknown>;

/** What of a monitor, a target or a page is changed: by number, the newest of the rest of the division. */
export type Act =
  | { do: 'project'; name: string }
  | {
      do: 'monitor';
      project: number;
      name: string;
      made: contents.Made;
      dependsOn: readonly number[];
      profile: number | null;
    }
  | { do: 'profile'; name: string; fields: Fields }
  | { do: 'standard'; fields: Fields | null }
  | { do: 'target'; fields: Fields; projects: readonly number[] }
  | { do: 'on_call'; fields: Fields; duty: number | null }
  | { do: 'roster'; people: readonly number[] }
  | { do: 'override'; person: number; from: number }
  | { do: 'page'; name: string; fields: Fields }
  | { do: 'shown'; of: number; shown: { of: number; fields: Fields }[]; tags: readonly string[] }
  | { do: 'window'; of: readonly number[]; tags: readonly string[]; from: number; repeat: Fields | null }
  | { do: 'person'; person: number; role: 'admin' | 'manager' | 'member' | 'viewer' | null }
  | { do: 'change'; of: number; fields: Fields }
  | { do: 'rename'; what: 'project' | 'monitor' | 'target' | 'page' | 'profile'; of: number; name: string }
  | { do: 'move'; of: number; project: number }
  | { do: 'delete'; what: 'project' | 'monitor' | 'target' | 'page' | 'profile'; of: number }
  | { do: 'say'; of: number; status: 'up' | 'degraded' | 'down' }
  | { do: 'beat'; of: number }
  | { do: 'declare'; of: number }
  | { do: 'incident'; of: number; verb: 'ack' | 'resolve' | 'discard' | 'note' | 'postmortem' | 'link' }
  | { do: 'wall'; name: string }
  | { do: 'view'; name: string; search: Fields; project: number | null; shared: boolean }
  | { do: 'report'; of: 'project' | 'page' | 'tag' | null; which: number; timezone: string }
  | { do: 'beat_host'; cpu: number }
  | { do: 'plan'; plan: 'unlimited' | 'free' }
  | { do: 'wait'; seconds: number };

/**
 * `again`: the file of the organization is applied to it. `elsewhere`: to an empty one. `drift`: the acts happen in between. `race`: at
 * the same time. `transfer`: the organization moves to another installation. `bring`: its configuration comes into an empty one there.
 */
export type Trip =
  | { do: 'again' | 'elsewhere' | 'transfer' | 'bring' }
  | { do: 'drift' | 'race'; acts: readonly Act[]; prune: boolean };
export type Step = Act | Trip;
/** `hasHost`: an agent is enrolled, and some monitors watch its host. */
export type Walk = { hasHost: boolean; steps: readonly Step[] };

const MAKING = [
  ...([
    'monitor',
    'monitor',
    'monitor',
    'monitor',
    'monitor',
    'monitor',
    'project',
    'project',
    'profile',
  ] as const),
  ...([
    'target',
    'target',
    'on_call',
    'roster',
    'override',
    'page',
    'shown',
    'shown',
    'window',
    'window',
  ] as const),
  ...(['person', 'person', 'standard', 'wall', 'view', 'view', 'report', 'report'] as const),
];
const CHANGING = [
  'change',
  'change',
  'rename',
  'move',
  'delete',
  'person',
  'shown',
  'on_call',
  'target',
] as const;
const LIVING = [
  ...(['say', 'say', 'say', 'say', 'beat', 'beat_host', 'declare', 'incident', 'incident', 'wait'] as const),
];

export const PEOPLE = 4;

export function writeWalk(seed: number, count: number): Walk {
  const random = chance(seed);
  const hasHost = random.happens(0.5);
  const step = (): Step => {
    if (random.happens(0.04)) return { do: 'again' };
    if (random.happens(0.03)) return tripOf(random, hasHost);
    if (random.happens(0.02)) return { do: 'plan', plan: random.one(['free', 'unlimited']) };
    const among = random.one([MAKING, MAKING, MAKING, LIVING, LIVING, CHANGING]);
    return actOf(random.one<Act['do']>(among), random, hasHost);
  };
  const steps = Array.from({ length: count }, step);
  // An import of the configuration refuses what watches a host: there is none in the other organization.
  const last = hasHost ? 'transfer' : random.one(['bring', 'transfer'] as const);
  return { hasHost, steps: [...steps, { do: 'again' }, tripOf(random, hasHost), { do: last }] };
}

function tripOf(random: Chance, hasHost: boolean): Trip {
  const kind = random.one(['elsewhere', 'drift', 'drift', 'race'] as const);
  if (kind === 'elsewhere') return { do: kind };
  const acts = Array.from({ length: kind === 'race' ? 1 : random.whole(1, 4) }, () =>
    actOf(random.one<Act['do']>(CHANGING), random, hasHost),
  );
  return { do: kind, acts, prune: random.happens(0.5) };
}

const some = (random: Chance, most: number, least = 0) =>
  Array.from({ length: random.whole(least, most) }, () => random.whole(0, 11));

function actOf(kind: Act['do'], random: Chance, hasHost: boolean): Act {
  const of = random.whole(0, 11);
  const what = random.one(['project', 'monitor', 'monitor', 'target', 'page', 'profile'] as const);
  const name = contents.nameOf(random);
  switch (kind) {
    case 'project':
      return { do: kind, name };
    case 'monitor': {
      const profile = random.happens(0.3) ? of : null;
      const dependsOn = random.happens(0.4) ? some(random, 3) : [];
      return {
        do: kind,
        project: random.whole(0, 11),
        name,
        made: contents.monitorOf(random, hasHost),
        dependsOn,
        profile,
      };
    }
    case 'profile':
      return { do: kind, name, fields: contents.policyOf(random) };
    case 'standard': {
      const { alarm_consecutive: fails } = contents.policyOf(random);
      const fields = { min_regions: 1, ...(fails === undefined ? {} : { alarm_consecutive: fails }) };
      return { do: kind, fields: random.happens(0.2) ? null : fields };
    }
    case 'target':
      return {
        do: kind,
        fields: contents.targetOf(random),
        projects: random.happens(0.4) ? some(random, 2, 1) : [],
      };
    case 'on_call':
      return { do: kind, fields: contents.onCallOf(random), duty: random.one([null, of]) };
    case 'roster':
      return { do: kind, people: some(random, 4) };
    case 'override':
      return { do: kind, person: of, from: random.one([0, 60, 86_400]) };
    case 'page':
      return { do: kind, name, fields: contents.pageOf(random) };
    case 'shown':
      return { do: kind, of, shown: contents.shownOf(random), tags: contents.tagsOf(random) };
    case 'window': {
      const zone = random.one(['UTC', 'Europe/Berlin', 'America/St_Johns']);
      const rule = random.one([
        'FREQ=DAILY',
        'FREQ=WEEKLY;BYDAY=MO,TH',
        'FREQ=MONTHLY;BYMONTHDAY=-1',
        'FREQ=DAILY;INTERVAL=3',
      ]);
      const repeat = random.happens(0.5) ? { rrule: rule, timezone: zone } : null;
      const from = random.one(repeat ? [60, 86_400] : [-600, 0, 60, 86_400]);
      return { do: kind, of: some(random, 3, 1), tags: contents.tagsOf(random), from, repeat };
    }
    case 'person':
      return {
        do: kind,
        person: of,
        role: random.one(['admin', 'manager', 'member', 'member', 'viewer', null]),
      };
    case 'rename':
      return { do: kind, what, of, name };
    case 'move':
      return { do: kind, of, project: random.whole(0, 11) };
    case 'delete':
      return { do: kind, what, of };
    case 'say':
      return { do: kind, of, status: random.one(['up', 'up', 'degraded', 'down', 'down']) };
    case 'incident':
      return { do: kind, of, verb: random.one(['ack', 'resolve', 'discard', 'note', 'postmortem', 'link']) };
    case 'wall':
      return { do: kind, name };
    case 'view': {
      const project = random.one([null, of]);
      return {
        do: kind,
        name: name.slice(0, 100),
        search: contents.viewOf(random),
        project,
        shared: random.happens(0.5),
      };
    }
    case 'report': {
      const timezone = random.one(['UTC', 'Asia/Kathmandu']);
      return { do: kind, of: random.one(['project', 'page', 'tag', null]), which: of, timezone };
    }
    case 'beat_host':
      return { do: kind, cpu: random.one([1, 99]) };
    case 'plan':
      return { do: kind, plan: 'unlimited' };
    case 'wait':
      return { do: kind, seconds: random.one([1, 30, 3600, 90_000]) };
    case 'change':
      return { do: kind, of, fields: changeOf(random) };
    default:
      return { do: kind, of };
  }
}

const changeOf = (random: Chance): Fields =>
  random.one<Fields>([
    { enabled: random.happens(0.5) },
    { tags: contents.tagsOf(random) },
    { severity: random.one(['critical', 'default', 'degraded']) },
    { policy: { alarm_consecutive: random.one([null, 1, 5]), recovery_consecutive: random.one([null, 3]) } },
    { alarm_gate: random.one([null, { grace_seconds: 5, origins: ['manual'] }]) },
    { depends_on: [] },
    { config: { degraded_after_ms: random.one([null, 700]) } },
  ]);

/** A walk in words, for a report. */
export const wordsOf = ({ hasHost, steps }: Walk): string =>
  (hasHost ? 'with a host: ' : '') + steps.map((step) => JSON.stringify(step)).join('; ');
