import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureClasses } from '#test/harness/failure-classes.ts';
import { causeIn, stormNameIn, summaryIn } from './cause-words.ts';
import { classOfWords, foundWords } from './failure-words.ts';

const CAUSES: [english: string, german: string][] = [
  ['Connection refused (2 of 3 regions)', 'Verbindung abgelehnt (2 von 3 Regionen)'],
  ['HTTP 503 (Frankfurt)', 'HTTP 503 (Frankfurt)'],
  ['HTTP 500, 502 and 503 (12 of 20 regions)', 'HTTP 500, 502 und 503 (12 von 20 Regionen)'],
  ['TLS handshake failed (Frankfurt (Main))', 'TLS-Handshake gescheitert (Frankfurt (Main))'],
  ['STARTTLS not offered', 'STARTTLS wird nicht angeboten'],
  ['DNS timed out', 'Zeitüberschreitung bei der DNS-Abfrage'],
  ['No passing check (1 of 2 regions)', 'Keine bestandene Prüfung (1 von 2 Regionen)'],
  ['2 of 3 members failed: Shop and API', '2 von 3 Mitgliedern ausgefallen: Shop und API'],
  [
    '2 of 3 members failed: Search and replace and API',
    '2 von 3 Mitgliedern ausgefallen: Search and replace and API',
  ],
  [
    'HTTP 500 and 503 (2 of 3 regions), connection refused (Tokyo) and no passing check (1 of 3 regions)',
    'HTTP 500 und 503 (2 von 3 Regionen), Verbindung abgelehnt (Tokyo) und keine bestandene Prüfung (1 von 3 Regionen)',
  ],
  ['Shop has failed', 'Shop ist ausgefallen'],
  ['No ping in time', 'Kein Ping innerhalb der Frist'],
  ['Connection timed out (Frankfurt)', 'Zeitüberschreitung beim Verbinden (Frankfurt)'],
];
for (const [english, german] of CAUSES)
  test(`a cause written by Tocsin is translated to German: ${english}`, () => {
    assert.equal(causeIn(english, 'de'), german);
    assert.equal(causeIn(english, 'en'), english);
  });

test('causes written by people stay as they are', () => {
  for (const text of [
    'Warehouse on fire',
    'HTTP is broken',
    'Refused (2 of 3 regions)',
    'Connection refused (Tokyo) and smoke (Paris)',
    'a\nConnection refused',
    '',
  ])
    assert.equal(causeIn(text, 'de'), text);
});

const SUMMARIES: [english: string, german: string][] = [
  [
    'Shop: the big one: connection refused (Tokyo). Expected a connection to port 22 within 5 s.',
    'Shop: the big one: Verbindung abgelehnt (Tokyo). Erwartet: eine Verbindung zu Port 22 innerhalb von 5 s.',
  ],
  [
    'Shop: HTTP 503 (Tokyo). Expected a status in 200-299.',
    'Shop: HTTP 503 (Tokyo). Erwartet: ein Status aus 200-299.',
  ],
  [
    'All: 1 of 2 members failed: Shop. Expected no member to have failed.',
    'All: 1 von 2 Mitgliedern ausgefallen: Shop. Erwartet: kein ausgefallenes Mitglied.',
  ],
  ['Warehouse: on fire. Expected no fire.', 'Warehouse: on fire. Expected no fire.'],
  ['Shop: connection refused', 'Shop: connection refused'],
];
for (const [english, german] of SUMMARIES)
  test(`a summary written by Tocsin is translated to German, another is not: ${english}`, () => {
    assert.equal(summaryIn(english, 'de'), german);
    assert.equal(summaryIn(english, 'en'), english);
  });

test('the name of a storm is translated to German, its host is not', () => {
  assert.equal(
    stormNameIn('db.example.com, connection refused', 'de'),
    'db.example.com, Verbindung abgelehnt',
  );
  assert.equal(
    stormNameIn('unexpected status, seen from Tokyo', 'de'),
    'unerwarteter Status, gesehen von Tokyo',
  );
  assert.equal(stormNameIn('db.example.com, connection refused', 'en'), 'db.example.com, connection refused');
});

test('every class with which a target fails has distinct words, so that they can be parsed back', () => {
  const classes = failureClasses(/^`(target_|agent)/);
  assert.ok(classes.length > 60, String(classes.length));
  for (const failureClass of [...classes, 'unknown'])
    assert.equal(classOfWords(foundWords(failureClass)), failureClass, failureClass);
});
