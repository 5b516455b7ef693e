// Words that the code gave up for the field's own, so that none of them comes back in a name (docs/architecture.md#glossary).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { parseSync } from 'vite';
import { sourceFiles, textOf } from './harness/imports.ts';

/** The dropped word, as a part of a name, and the word that took its place. */
const DROPPED: Readonly<Record<string, string>> = {
  alongside: 'sendUnawaited',
  around: 'inputs',
  deeds: 'actions',
  desk: 'queue, worker or endpoint',
  desks: 'queues, workers or endpoints',
  eager: 'urgent',
  ear: 'waiter',
  ears: 'waiters',
  fold: 'apply, collapse or section',
  folded: 'collapsed',
  folds: 'sections',
  gatekeeper: 'authorizer',
  goodbye: 'close',
  gravity: 'severity rank',
  happenings: 'events',
  hear: 'listen, receive',
  heard: 'received',
  here: 'this installation, process, browser or tab',
  invitee: 'invited person',
  invitees: 'invited people',
  landed: 'result of an attempt',
  lane: 'ordering key, shard, track or timeline',
  lanes: 'ordering keys, shards, tracks or timelines',
  lent: 'leased, or a factor',
  letter: 'mail',
  letters: 'characters, mails',
  lonely: 'isolated',
  looks: 'evaluations, lookups, polls, checks or readings',
  loudness: 'volume',
  manner: 'options',
  notable: 'needs evaluation',
  observation: 'outcome of a check',
  outlive: 'survive',
  overtake: 'supersede',
  postpone: 'defer',
  pulse: 'health check',
  rehearse: 'dry run',
  rehearsed: 'dry run',
  rescue: 'watchdog',
  restate: 'recalculate',
  restated: 'recalculated, or the changed time',
  resting: 'set aside',
  rota: 'rotation',
  routed: 'filtered, or routing',
  sift: 'filter',
  sifted: 'filtered',
  sleeper: 'sleep',
  standing: 'state, rank, ongoing',
  standstill: 'hang',
  stretch: 'period',
  stretches: 'periods',
  surroundings: 'inputs',
  switchboard: 'hub',
  taken: 'accepted, claimed, acknowledged or in use',
  tell: 'notify, report, log, print or send',
  teller: 'notifier',
  told: 'notified, reported, logged, printed or sent',
  uneasy: 'unsettled',
  unfit: 'problem',
};

/** Codes of the interface, and names of the database, which stay. */
const KEPT = ['name_taken', 'slug_taken', 'lane', 'grouped_lanes', 'GroupedLanes'];

/** `tellDesk_ofAll` is tell, desk, of, all. */
const partsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.toLowerCase());

/** Every name that the code itself says: not its comments, its strings, its templates or its regular expressions. */
function namesIn(path: string, code: string): Set<string> {
  const names = new Set<string>();
  const open: unknown[] = [parseSync(path, code).program];
  while (open.length > 0) {
    const node = open.pop() as { type?: unknown; name?: unknown };
    if (typeof node.type === 'string' && /Identifier$/.test(node.type)) names.add(String(node.name));
    for (const child of Object.values(node))
      if (typeof child === 'object' && child !== null) open.push(child);
  }
  return names;
}

const droppedIn = (name: string): string[] => partsOf(name).filter((part) => Object.hasOwn(DROPPED, part));
const isMisnamedLimit = (name: string): boolean => /^(MOST|LEAST|FEWEST)(_|$)/.test(name);

const FILES = sourceFiles(['src', 'probe', 'agent', 'web', 'test', 'bench', 'pack']);

/** The names of each file in which one may be wrong: parsing all would take most of the time. */
const suspects = new Map<string, Set<string>>();
before(() => {
  for (const path of FILES) {
    const text = textOf(path);
    // Lines of comments aside, which say these words often; what else is no name, the parser finds.
    const words = new Set(text.replace(/^\s*\/\/[^$\n]*$/gm, '').match(/\w+/g));
    if ([...words].some((word) => isMisnamedLimit(word) || droppedIn(word).length > 0))
      suspects.set(path, namesIn(path, text));
  }
  assert.ok(suspects.size > 20, 'words are found');
});

const namesOf = (path: string): string[] => [...(suspects.get(path) ?? [])];

test('no name contains a dropped word', () => {
  const wrong = FILES.filter((path) => !path.includes('/i18n/') && path !== 'test/words.test.ts').flatMap(
    (path) => {
      const names = [path, ...namesOf(path)].filter((name) => !KEPT.includes(name));
      const words = new Set(names.flatMap(droppedIn));
      return [...words].map((word) => `${path}: ${word} is called ${DROPPED[word]}`);
    },
  );
  assert.deepEqual(wrong, []);
});

test('a limit is called MAX or MIN', () => {
  const wrong = FILES.flatMap((path) =>
    namesOf(path)
      .filter(isMisnamedLimit)
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(wrong, []);
});

test('a dropped word is found inside a longer name, and not inside another word', () => {
  assert.deepEqual(droppedIn('startEarLoop'), ['ear']);
  assert.deepEqual(droppedIn('earlyYears'), []);
});

test('words in strings, templates, expressions and comments are no names; an expression inside a template contains names', () => {
  const code = `ask(\`nobody is told \${deeds(1)}\`, /too \`busy to tell/i, 'a /* letter'); // to hear`;
  assert.deepEqual([...namesIn('a.ts', code)].sort(), ['ask', 'deeds']);
});
