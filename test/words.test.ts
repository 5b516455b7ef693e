// Words that the code gave up for the field's own, so that none of them comes back in a name (docs/architecture.md#glossary).
import assert from 'node:assert/strict';
import { test } from 'node:test';
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

function dropped(path: string): string[] {
  const ours = [path, ...namesIn(path, textOf(path))].filter((name) => !KEPT.includes(name));
  return [...new Set(ours.flatMap(partsOf))].filter((part) => Object.hasOwn(DROPPED, part));
}

test('no name contains a dropped word', () => {
  const wrong = sourceFiles(['src', 'probe', 'agent', 'web', 'test', 'bench', 'pack'])
    .filter((path) => !path.includes('/i18n/') && path !== 'test/words.test.ts')
    .flatMap((path) => dropped(path).map((word) => `${path}: ${word} is called ${DROPPED[word]}`));
  assert.deepEqual(wrong, []);
});

test('a limit is called MAX or MIN', () => {
  const wrong = sourceFiles(['src', 'probe', 'agent', 'web', 'test', 'bench', 'pack']).flatMap((path) =>
    [...namesIn(path, textOf(path))]
      .filter((name) => /^(MOST|LEAST|FEWEST)(_|$)/.test(name))
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(wrong, []);
});

test('a dropped word is found inside a longer name, and not inside another word', () => {
  const found = (name: string) => partsOf(name).filter((part) => Object.hasOwn(DROPPED, part));
  assert.deepEqual(found('startEarLoop'), ['ear']);
  assert.deepEqual(found('earlyYears'), []);
});

test('words in strings, templates, expressions and comments are no names; an expression inside a template contains names', () => {
  const code = `ask(\`nobody is told \${deeds(1)}\`, /too \`busy to tell/i, 'a /* letter'); // to hear`;
  assert.deepEqual([...namesIn('a.ts', code)].sort(), ['ask', 'deeds']);
});
