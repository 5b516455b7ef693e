import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeGermanCheckWords } from './in-german.ts';
import { GERMAN_SENTENCES } from './sentences.ts';

const { detail, expected } = makeGermanCheckWords(GERMAN_SENTENCES);

const DETAILS: [english: string, german: string][] = [
  ['192.0.2.1:443 refused the connection', '192.0.2.1:443 hat die Verbindung abgelehnt'],
  [
    'No route to 192.0.2.1:443 (EHOSTUNREACH): the network or the host is unreachable from here',
    'Kein Weg zu 192.0.2.1:443 (EHOSTUNREACH): Netz oder Host sind von hier nicht erreichbar',
  ],
  [
    'The name shop.example.com does not exist (NXDOMAIN); expected NOERROR',
    'Der Name shop.example.com existiert nicht (NXDOMAIN); erwartet: NOERROR',
  ],
  ['The name shop.example.com has no address', 'Der Name shop.example.com hat keine Adresse'],
  ['The name shop.example.com has no IPv6 address', 'Der Name shop.example.com hat keine IPv6-Adresse'],
  ['The name shop.example.com has no MX record', 'Der Name shop.example.com hat keinen MX-Eintrag'],
  [
    'shop.example.com has the A records 192.0.2.1, 192.0.2.2 and 3 more; missing 192.0.2.9',
    'shop.example.com hat die A-Einträge 192.0.2.1, 192.0.2.2 und 3 weitere; es fehlt: 192.0.2.9',
  ],
  [
    'The certificate of shop.example.com expired on 2026-01-02 03:04 UTC',
    'Das Zertifikat von shop.example.com ist am 2026-01-02 03:04 UTC abgelaufen',
  ],
  [
    'The intermediate certificate "R3" of shop.example.com expires on 2026-01-02 03:04 UTC, in 1 day; degraded below 7 days',
    'Das Zwischenzertifikat "R3" von shop.example.com läuft am 2026-01-02 03:04 UTC ab, in 1 Tag; beeinträchtigt unter 7 Tagen',
  ],
  ['Answered 503; expected 200-299', 'Antwort 503; erwartet: 200-299'],
  ['$.n is 3; expected at least 5', '$.n ist 3; erwartet: mindestens 5'],
  [
    '$.s is a text of 7 characters; expected equal to "ok"',
    '$.s ist ein Text aus 7 Zeichen; erwartet: gleich "ok"',
  ],
  ['The header x-none is absent; expected present', 'Der Header x-none fehlt; erwartet: vorhanden'],
  ['The body does not contain "ok"', 'Der Inhalt enthält "ok" nicht'],
  [
    'shop.example.com (192.0.2.1) answered 2 of 5 pings, 60 % lost; at most 50 % are allowed',
    'shop.example.com (192.0.2.1) hat 2 von 5 Pings beantwortet, 60 % verloren; erlaubt sind höchstens 50 %',
  ],
  ['The service "cart" is NOT_SERVING', 'Der Dienst "cart" ist NOT_SERVING'],
  ['mail.example.com refuses user name and password', 'mail.example.com lehnt Benutzername und Passwort ab'],
  [
    'mail.example.com refuses user name and password (535)',
    'mail.example.com lehnt Benutzername und Passwort ab (535)',
  ],
  [
    'no ping since the start; it was due at 2026-01-02 03:04:05 UTC',
    'kein Ping seit dem Start; fällig war er um 2026-01-02 03:04:05 UTC',
  ],
  [
    'The network policy of this region does not allow connecting to a.example, which resolves to 10.0.0.1, (private)',
    'Die Netzregeln dieser Region erlauben keine Verbindung zu a.example, aufgelöst zu 10.0.0.1 (private)',
  ],
  [
    'The clock of this machine is wrong: the certificate of a.example is in force, and by that clock it is not. Set the clock',
    'Die Uhr dieses Rechners geht falsch: Das Zertifikat von a.example gilt, nach dieser Uhr aber nicht. Stellen Sie die Uhr',
  ],
  [
    'The name servers of this probe do not resolve anything any more. It found: 192.0.2.1:443 refused the connection',
    'Die Nameserver dieser Sonde lösen nichts mehr auf. Sie fand: 192.0.2.1:443 hat die Verbindung abgelehnt',
  ],
  [
    'None of the canaries answered this probe either, so its own network is cut off. It found: 192.0.2.1:443 refused the connection',
    'Auch keiner der Kanarienvögel hat dieser Sonde geantwortet; ihr eigenes Netz ist abgeschnitten. Sie fand: 192.0.2.1:443 hat die Verbindung abgelehnt',
  ],
  [
    'An assertion could not be evaluated: it waited 2 s for its turn: this probe has too many answers to judge',
    'Eine Regel ließ sich nicht auswerten: sie wartete 2 s, bis sie an der Reihe war: diese Sonde hat zu viele Antworten zu beurteilen',
  ],
];
for (const [english, german] of DETAILS)
  test(`a detail in German: ${german}`, () => {
    assert.equal(detail(english), german);
  });

test('the words of a server stay as they are', () => {
  for (const text of ['FATAL: password authentication failed for user "shop"', '', 'OK'])
    assert.equal(detail(text), text);
});

test('an expectation of a test is translated with its values', () => {
  assert.equal(expected('at most 500 ms'), 'höchstens 500 ms');
  assert.equal(expected('as shop, database goods'), 'als shop, Datenbank goods');
  assert.equal(expected('200-299'), '200-299');
});

const SOURCES = globSync([
  'probe/**/*.ts',
  'src/platform/outbound/*.ts',
  'src/domain/heartbeat.ts',
  'src/agents/silence.ts',
])
  .filter((path) => !/\.test\.ts$/.test(path))
  .map((path) => readFileSync(path, 'utf8'));
const ALL = SOURCES.join('\n');

/** Probes put some sentences together of two parts. */
const isSaid = (piece: string): boolean =>
  ALL.includes(piece) ||
  [...piece.matchAll(/[ ;,]/g)].some(
    ({ index }) => ALL.includes(piece.slice(0, index)) && ALL.includes(piece.slice(index).trim()),
  );

test('every English sentence of these lists is one that a probe says', () => {
  const english = Object.values(GERMAN_SENTENCES).flatMap((list) => Object.keys(list));
  const pieces = english.flatMap((sentence) =>
    sentence.split(/\{\{\w+\}\}/).map((piece) => [sentence, piece.trim()] as const),
  );
  const unsaid = pieces.filter(([, piece]) => piece.length > 7 && !isSaid(piece));
  assert.deepEqual(unsaid, []);
});

/** A string or template whose values hold at most one more level of braces or quotes. */
const LITERAL =
  String.raw`('(?:[^'\\\n]|\\.)*'|` +
  '`(?:[^`\\\\$]|\\\\.|\\$(?!\\{)|\\$\\{(?:[^{}`]|`[^`]*`|\\{[^{}]*\\})*\\})*`)';
const SAID = new RegExp(
  `(?:OutboundFailure\\(\\s*'\\w+',\\s*'\\w+',|(?:fail|finding|down)\\(\\s*'\\w+',|(?:invalidAnswer|answerMismatch|mismatch|probeError|unavailable)\\(|detail:)\\s*${LITERAL}`,
  'g',
);

/** Parts of sentences that are in the lists as a whole, and words of others. */
const PARTS = [
  'x x',
  'x is x',
  'x x; expected x',
  'The header x x; expected x',
  'The body x x',
  'The ping of this machine x',
  'said nothing that can be read: x',
  'came to send x of x packets only',
  'config.query x',
];

test('every sentence that a probe says has a German one', () => {
  const said = SOURCES.flatMap((source) =>
    [...source.matchAll(SAID)].map(([, literal = '']) => literal.slice(1, -1)),
  );
  assert.ok(said.length > 60, String(said.length));
  const filled = said.map((literal) =>
    literal.replaceAll(/\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}/g, 'x').replaceAll("\\'", "'"),
  );
  const untranslated = filled.filter(
    (text) => / /.test(text) && !PARTS.includes(text) && detail(text) === text,
  );
  assert.deepEqual(untranslated, []);
});
