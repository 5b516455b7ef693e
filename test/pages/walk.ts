// A walk: what happens to four monitors, to the incidents and the maintenance of their organization, to its two status pages and to those
// who subscribe to them, in random order. The same seed, the same walk.
import { type Chance, chance } from '../simulation/chance.ts';

export const MONITORS = 4;
export const PAGES = 2;
/** People who subscribe, each with one address. */
export const READERS = 3;

export type Listed = { of: number; named: boolean; group: 'own' | 'other' | null };
export type Mode = 'public' | 'draft' | 'shared_password';

/** Something that takes no time. Incidents and windows are counted from the newest, which is 0. */
export type Act =
  | { do: 'check'; of: number; status: 'up' | 'degraded' | 'down' }
  | { do: 'switch_off' | 'switch_on' | 'delete' | 'rename' | 'move'; of: number }
  | { do: 'tag'; of: number; on: boolean }
  | { do: 'rename_project' }
  | { do: 'declare'; of: number | null; severity: 'critical' | 'default' | 'degraded' }
  | { do: 'link' | 'unlink'; incident: number; page: number }
  | { do: 'note'; incident: number; isPublic: boolean }
  | { do: 'acknowledge' | 'resolve' | 'discard' | 'restore'; incident: number }
  /** Relative to now, in seconds. `days`: it comes again on so many days in all. */
  | { do: 'plan'; of: readonly number[]; from: number; until: number; isPublic: boolean; days: number }
  | { do: 'retitle'; window: number; all: boolean }
  | { do: 'postpone'; window: number; from: number; until: number }
  | { do: 'affect'; window: number; of: readonly number[]; all: boolean }
  | { do: 'hide' | 'show'; window: number }
  | { do: 'cancel' | 'unplan'; window: number; all: boolean }
  | { do: 'list'; page: number; monitors: readonly Listed[]; tagged: boolean }
  | { do: 'mode'; page: number; mode: Mode }
  | { do: 'enable'; page: number; on: boolean }
  | { do: 'auto_link'; page: number; on: boolean }
  | { do: 'rename_page' | 'slug'; page: number }
  /** Another page gets its slug. */
  | { do: 'archive'; page: number }
  | { do: 'subscribe'; page: number; reader: number }
  /** By a link of so many subscriptions ago. */
  | { do: 'confirm' | 'unsubscribe' | 'open'; page: number; reader: number; ago: number }
  /** null: everything. */
  | { do: 'choose'; page: number; reader: number; ago: number; of: readonly number[] | null }
  | { do: 'remove'; page: number; reader: number }
  /** The mail server refuses mails: for now, for good, or no longer. `reader`: to one of them; null: to all. */
  | { do: 'refuse'; how: 'now' | 'for_good' | null; reader: number | null };

export type Step = { do: 'wait'; seconds: number } | { do: 'acts'; acts: readonly Act[] };
export type Walk = { steps: readonly Step[] };

const KINDS: readonly (readonly [Act['do'], number])[] = [
  ['check', 30],
  ['switch_off', 2],
  ['switch_on', 3],
  ['delete', 1],
  ['rename', 2],
  ['move', 1],
  ['tag', 3],
  ['rename_project', 1],
  ['declare', 6],
  ['link', 18],
  ['unlink', 4],
  ['note', 20],
  ['acknowledge', 1],
  ['resolve', 6],
  ['discard', 4],
  ['restore', 2],
  ['plan', 9],
  ['retitle', 3],
  ['postpone', 4],
  ['affect', 4],
  ['hide', 2],
  ['show', 2],
  ['cancel', 3],
  ['unplan', 2],
  ['list', 6],
  ['mode', 4],
  ['enable', 3],
  ['auto_link', 2],
  ['rename_page', 1],
  ['slug', 1],
  ['archive', 1],
  ['subscribe', 8],
  ['confirm', 9],
  ['unsubscribe', 3],
  ['open', 1],
  ['choose', 16],
  ['remove', 1],
  ['refuse', 4],
];
const AMONG = KINDS.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));

/**
 * Each page is listed, published and subscribed to first, one reader chooses, and incidents are on pages: otherwise most acts that follow
 * have nothing to act on.
 */
function first(random: Chance): Step[] {
  const lists = Array.from({ length: PAGES }, () => listOf(random));
  const acts: Act[][] = [
    lists.flatMap((monitors, page): Act[] => [
      { do: 'list', page, monitors, tagged: random.happens(0.3) },
      { do: 'mode', page, mode: 'public' },
      { do: 'subscribe', page, reader: random.whole(1, READERS - 1) },
      { do: 'subscribe', page, reader: 0 },
    ]),
    lists.flatMap((_, page) =>
      Array.from({ length: READERS }, (_, reader): Act => ({ do: 'confirm', page, reader, ago: 0 })),
    ),
    // The answer to a second request is the first mail with the link to choose by, unless there is news.
    [{ do: 'subscribe', page: 0, reader: 0 }],
    [
      { do: 'choose', page: 0, reader: 0, ago: 0, of: (lists[0] ?? []).slice(0, 1).map(({ of }) => of) },
      { do: 'check', of: random.whole(0, MONITORS - 1), status: 'down' },
      { do: 'declare', of: null, severity: 'default' },
    ],
  ];
  return acts.map((acts) => ({ do: 'acts', acts }));
}

export function writeWalk(seed: number, count: number): Walk {
  const random = chance(seed);
  const steps = Array.from({ length: count }, (): Step => {
    if (random.happens(0.25)) return { do: 'wait', seconds: random.one([1, 5, 20, 61, 61, 130, 310]) };
    const acts = Array.from({ length: random.one([1, 1, 2, 2, 3, 4]) }, () =>
      actOf(random.one(AMONG), random),
    );
    return { do: 'acts', acts };
  });
  return { steps: [...first(random), ...steps] };
}

const someOf = (random: Chance, share: number) =>
  Array.from({ length: MONITORS }, (_, of) => of).filter(() => random.happens(share));

function listOf(random: Chance): Listed[] {
  const of = someOf(random, 0.6);
  if (random.happens(0.5)) of.reverse();
  return of.map((of) => ({
    of,
    named: random.happens(0.5),
    group: random.one(['own', 'other', null] as const),
  }));
}

/** Mostly one: a choice that names what the page does not show is refused. */
const choiceOf = (random: Chance) =>
  random.happens(0.25) ? null : random.happens(0.3) ? someOf(random, 0.5) : [random.whole(0, MONITORS - 1)];

function actOf(kind: Act['do'], random: Chance): Act {
  const of = random.whole(0, MONITORS - 1);
  const page = random.whole(0, PAGES - 1);
  const incident = random.one([0, 0, 0, 1, 2]);
  const window = random.one([0, 0, 0, 1, 2]);
  const reader = random.whole(0, READERS - 1);
  const ago = random.one([0, 0, 0, 1]);
  const all = random.happens(0.5);
  const from = random.one([-30, 0, 0, 1, 20, 60, 200, 4000]);
  const span = { from, until: from + random.one([5, 25, 60, 100, 400]) };
  switch (kind) {
    case 'check':
      return {
        do: kind,
        of,
        status: random.one(['up', 'up', 'up', 'degraded', 'down', 'down', 'down'] as const),
      };
    case 'tag':
      return { do: kind, of, on: random.happens(0.6) };
    case 'rename_project':
      return { do: kind };
    case 'declare': {
      const severity = random.one(['critical', 'default', 'degraded'] as const);
      return { do: kind, of: random.happens(0.3) ? null : of, severity };
    }
    case 'link':
    case 'unlink':
      return { do: kind, incident, page };
    case 'note':
      return { do: kind, incident, isPublic: random.happens(0.7) };
    case 'acknowledge':
    case 'resolve':
    case 'discard':
    case 'restore':
      return { do: kind, incident };
    case 'plan': {
      const days = random.one([1, 1, 1, 2, 3]);
      return { do: kind, of: someOf(random, 0.5), ...span, isPublic: random.happens(0.8), days };
    }
    case 'postpone':
      return { do: kind, window, ...span };
    case 'affect':
      return { do: kind, window, of: someOf(random, 0.5), all };
    case 'hide':
    case 'show':
      return { do: kind, window };
    case 'retitle':
    case 'cancel':
    case 'unplan':
      return { do: kind, window, all };
    case 'list':
      return { do: kind, page, monitors: listOf(random), tagged: random.happens(0.3) };
    case 'mode':
      return {
        do: kind,
        page,
        mode: random.one(['public', 'public', 'public', 'draft', 'shared_password'] as const),
      };
    case 'enable':
    case 'auto_link':
      return { do: kind, page, on: random.happens(0.7) };
    case 'rename_page':
    case 'slug':
    case 'archive':
      return { do: kind, page };
    case 'subscribe':
    case 'remove':
      return { do: kind, page, reader };
    case 'confirm':
    case 'unsubscribe':
    case 'open':
      return { do: kind, page, reader, ago };
    case 'choose':
      return {
        do: kind,
        page: random.one([0, 0, 1]),
        reader: random.one([0, 0, 1, 2]),
        ago,
        of: choiceOf(random),
      };
    case 'refuse':
      return {
        do: kind,
        how: random.one(['now', 'for_good', null, null] as const),
        reader: random.happens(0.5) ? null : reader,
      };
    default:
      return { do: kind, of };
  }
}

/** A walk in words, for a report. */
export const wordsOf = ({ steps }: Walk): string =>
  steps
    .map((step) =>
      step.do === 'wait'
        ? `wait ${step.seconds} s`
        : step.acts.map((act) => Object.values(act).map(inWords).join(' ')).join(', '),
    )
    .join('; ');

const inWords = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
