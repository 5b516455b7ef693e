// Words that the code gave up for the field's own, so that none of them comes back in a name (docs/architecture.md#glossary).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, sourceFiles } from './harness/imports.ts';

/** The dropped word, as a part of a name, and the word that took its place. */
const DROPPED: Readonly<Record<string, string>> = {
  around: 'surroundings',
  deeds: 'actions',
  desk: 'queue, worker or endpoint',
  desks: 'queues, workers or endpoints',
  ear: 'waiter',
  ears: 'waiters',
  gatekeeper: 'authorizer',
  hear: 'listen, receive',
  heard: 'received',
  here: 'this installation, process, browser or tab',
  invitee: 'invited person',
  invitees: 'invited people',
  landed: 'result of an attempt',
  lane: 'ordering key, shard, track or timeline',
  lanes: 'ordering keys, shards, tracks or timelines',
  letter: 'mail',
  letters: 'characters, mails',
  notable: 'needs evaluation',
  overtake: 'supersede',
  postpone: 'defer',
  rescue: 'watchdog',
  stretch: 'period',
  stretches: 'periods',
  taken: 'accepted, claimed, acknowledged or in use',
  tell: 'notify, report, log, print or send',
  teller: 'notifier',
  told: 'notified, reported, logged, printed or sent',
  uneasy: 'unsettled',
};

/** Codes of the interface, and names of the database, which stay. */
const KEPT = ['name_taken', 'slug_taken', 'lane', 'grouped_lanes', 'GroupedLanes'];

/** `tellDesk_ofAll` is tell, desk, of, all. */
const partsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.toLowerCase());

/** Code without what templates and regular expressions say: only the names in a template's ${…} are left of it. */
const withoutText = (code: string): string =>
  code
    .replace(/`(?:[^`\\]|\\.)*`/gs, (template) => template.match(/\$\{[^}]*\}/g)?.join(' ') ?? '')
    .replace(/(?<=[(,=:[!&|?]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g, '');

function dropped(path: string): string[] {
  const names = withoutText(codeOf(path)).match(/[A-Za-z_$][\w$]*/g) ?? [];
  const ours = [path, ...names].filter((name) => !KEPT.includes(name));
  return [...new Set(ours.flatMap(partsOf))].filter((part) => Object.hasOwn(DROPPED, part));
}

test('no name has a dropped word in it', () => {
  const wrong = sourceFiles(['src', 'probe', 'web', 'test', 'bench'])
    .filter((path) => !path.includes('/i18n/') && path !== 'test/words.test.ts')
    .flatMap((path) => dropped(path).map((word) => `${path}: ${word} is called ${DROPPED[word]}`));
  assert.deepEqual(wrong, []);
});

test('a dropped word is found inside of a longer name, and not inside of another word', () => {
  const found = (name: string) => partsOf(name).filter((part) => Object.hasOwn(DROPPED, part));
  assert.deepEqual(found('startEarLoop'), ['ear']);
  assert.deepEqual(found('earlyYears'), []);
});

test('what a template or a regular expression says is no name; what it calls is one', () => {
  const code = withoutText(`ask(\`nobody is told \${deeds(1)}\`, /too busy to tell/i)`);
  assert.deepEqual(code.match(/\w+/g), ['ask', 'deeds', '1']);
});
