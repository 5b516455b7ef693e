import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import i18next, { type TFunction } from 'i18next';
import { TILE_STATES, type TileState } from '#src/domain/names.ts';
import { countTiles } from '#src/domain/tiles.ts';
import { de } from '#web/i18n/de/index.ts';
import { en } from '#web/i18n/en/index.ts';
import { type Situation, sentenceOf, toneOf } from './summary.ts';

const words = new Map<'en' | 'de', TFunction>();
before(async () => {
  const texts = i18next.createInstance();
  await texts.init({
    lng: 'en',
    resources: { en: { translation: en }, de: { translation: de } },
    interpolation: { escapeValue: false },
  });
  for (const language of ['en', 'de'] as const) words.set(language, texts.getFixedT(language));
});

const formatsOf = (language: string) => ({
  minute: (unix: number) => new Date(unix * 1000).toISOString().slice(11, 16),
  list: (items: string[]) =>
    new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type: 'conjunction' }).format(items),
});
const AT = 6 * 3600 + 32 * 60;

type States = Partial<Record<TileState, number>>;
/** `acknowledged`: the incidents of each person; `null`: the reader may not see incidents. */
type Given = { open?: number; acknowledged?: Record<string, number>; apart?: boolean } | null;

function situation(states: States, given: Given = {}): Situation {
  const tiles = TILE_STATES.flatMap((state) => Array.from({ length: states[state] ?? 0 }, () => ({ state })));
  const acknowledged_by = Object.entries(given?.acknowledged ?? {}).map(([name, incidents]) => ({
    name,
    incidents,
  }));
  const total = given?.open ?? 0;
  return {
    counts: countTiles(tiles),
    open: given && {
      total,
      since_unix: total === 0 ? null : AT,
      since_same_minute: given.apart !== true,
      unacknowledged: total - acknowledged_by.reduce((sum, { incidents }) => sum + incidents, 0),
      acknowledged_by,
    },
  };
}

const TABLE: [what: string, States, Given, tone: string, en: string, de: string][] = [
  ['nothing', {}, {}, 'idle', 'Nothing is watched yet', 'Noch wird nichts überwacht'],
  ['one', { passed: 1 }, {}, 'well', 'The only monitor is up', 'Der einzige Monitor läuft'],
  ['all', { passed: 503 }, {}, 'well', 'All 503 monitors are up', 'Alle 503 Monitore laufen'],
  ['thousands', { passed: 1_234 }, {}, 'well', 'All 1,234 monitors are up', 'Alle 1.234 Monitore laufen'],
  [
    'paused ones do not count',
    { passed: 9, paused: 4 },
    {},
    'well',
    'All 9 monitors are up',
    'Alle 9 Monitore laufen',
  ],
  ['only paused', { paused: 2 }, {}, 'idle', 'All 2 monitors are paused', 'Alle 2 Monitore sind pausiert'],
  [
    'one person has all',
    { passed: 498, failed: 2, pending: 3 },
    { open: 2, acknowledged: { Nora: 2 } },
    'failed',
    '498 of 503 up, 2 down since 06:32, 3 waiting for a first result, Nora has them',
    '498 von 503 laufen, 2 ausgefallen seit 06:32, 3 noch ohne erstes Ergebnis, Nora hat übernommen',
  ],
  [
    'nobody has the only one',
    { passed: 4, failed: 1 },
    { open: 1 },
    'failed',
    '4 of 5 up, 1 down since 06:32, nobody has it yet',
    '4 von 5 laufen, 1 ausgefallen seit 06:32, noch nicht übernommen',
  ],
  [
    'not at the same time, and two share',
    { passed: 1, failed: 3 },
    { open: 3, acknowledged: { Nora: 2, Otto: 1 }, apart: true },
    'failed',
    '1 of 4 up, 3 down, the first since 06:32, Nora and Otto have them',
    '1 von 4 läuft, 3 ausgefallen, der erste seit 06:32, Nora und Otto haben übernommen',
  ],
  [
    'some of them are taken',
    { failed: 3 },
    { open: 3, acknowledged: { Nora: 1 } },
    'failed',
    '0 of 3 up, 3 down since 06:32, Nora has 1, nobody the other 2',
    '0 von 3 laufen, 3 ausgefallen seit 06:32, Nora hat 1 übernommen, die anderen 2 noch niemand',
  ],
  [
    'many share, one of them forgotten',
    { failed: 9 },
    { open: 5, acknowledged: { Nora: 1, '': 1, Otto: 1, Ada: 1 } },
    'failed',
    '0 of 9 up, 9 down since 06:32, Nora, somebody and 2 others have 4, nobody the other',
    '0 von 9 laufen, 9 ausgefallen seit 06:32, Nora, jemand und 2 weitere haben 4 übernommen, die andere noch niemand',
  ],
  [
    'incidents that the reader may not see',
    { passed: 2, failed: 1 },
    null,
    'failed',
    '2 of 3 up, 1 down',
    '2 von 3 laufen, 1 ausgefallen',
  ],
  [
    'down, and its incident was closed by hand',
    { passed: 2, failed: 1 },
    {},
    'failed',
    '2 of 3 up, 1 down',
    '2 von 3 laufen, 1 ausgefallen',
  ],
  [
    'declared by hand',
    { passed: 3 },
    { open: 1, acknowledged: { Nora: 1 } },
    'doubtful',
    'All 3 monitors are up, 1 incident open since 06:32, Nora has it',
    'Alle 3 Monitore laufen, 1 Störung offen seit 06:32, Nora hat übernommen',
  ],
  [
    'everything but down',
    { passed: 1, no_data: 2, cannot_check: 1, degraded: 1, maintenance: 4 },
    {},
    'doubtful',
    '1 of 9 up, 1 that cannot be checked, 2 without data, 1 degraded, 4 in maintenance',
    '1 von 9 läuft, 1 nicht prüfbar, 2 ohne Daten, 1 beeinträchtigt, 4 in Wartung',
  ],
  [
    'planned work is nothing wrong',
    { passed: 1, maintenance: 1 },
    {},
    'well',
    '1 of 2 up, 1 in maintenance',
    '1 von 2 läuft, 1 in Wartung',
  ],
];

for (const [what, states, given, tone, english, german] of TABLE)
  test(`the sentence: ${what}`, () => {
    const it = situation(states, given);
    const say = (language: 'en' | 'de') =>
      sentenceOf(it, { t: words.get(language)!, formats: formatsOf(language) });
    assert.deepEqual([say('en'), say('de'), toneOf(it)], [english, german, tone]);
  });
