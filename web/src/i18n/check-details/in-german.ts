// Texts of probes and heartbeats in German. They are stored in English.
import { makeTranslator } from '#src/domain/phrases.ts';

type List = Readonly<Record<string, string>>;
/** ./sentences.ts, which only German readers load. */
export type Sentences = { details: List; answered: List; expected: List };

/** Returns what translates them; what is no sentence of ours, such as the words of a server, stays as it is. */
export function makeGermanCheckWords(sentences: Sentences) {
  const translateDetail = makeTranslator(Object.entries(sentences.details), valueInGerman);
  const translateAnswered = makeTranslator(Object.entries(sentences.answered), valueInGerman);
  const translateExpected = makeTranslator(Object.entries(sentences.expected), valueInGerman);
  const words = {
    /** The detail of a check. */
    detail: (text: string): string => translateDetail(text) ?? text,
    /** What an assertion of a test expects. */
    expected: (text: string): string => translateExpected(text) ?? text,
  };

  function valueInGerman(name: string, value: string): string {
    switch (name) {
      case 'answered':
        return translateAnswered(value) ?? value;
      case 'found':
        return words.detail(value);
      case 'why':
        return words.detail(partInGerman(name, value));
      case 'expected':
        return words.expected(value);
      default:
        return partInGerman(name, value);
    }
  }
  return words;
}

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  resource: {
    'file descriptor': 'keinen Dateideskriptor',
    'local port or memory': 'keinen lokalen Port oder Speicher',
  },
  code: {
    'unknown error': 'unbekannter Fehler',
    'unexpected error': 'unerwarteter Fehler',
    'unknown reason': 'unbekannter Grund',
  },
  status: { down: 'ausgefallen', degraded: 'beeinträchtigt' },
  last: { 'the start': 'dem Start' },
  redirects: { '; redirects are not followed': '; Weiterleitungen wird nicht gefolgt' },
  subprotocol: { 'no subprotocol': 'kein Subprotokoll' },
  wanted: { none: 'keines' },
  times: { once: 'einmal' },
  why: { '101 without an upgrade to websocket': '101 ohne Upgrade zu websocket' },
  names: { 'another name': 'einen anderen Namen' },
  time: { 'an unknown date': 'unbekanntes Datum' },
};

function partInGerman(name: string, value: string): string {
  const known = WORDS[name]?.[value];
  if (known !== undefined) return known;
  switch (name) {
    case 'certificate':
      return value
        .replace(/^certificate$/, 'Zertifikat')
        .replace(/^intermediate certificate /, 'Zwischenzertifikat ');
    case 'but':
      return value.replace('; expected ', '; erwartet: ');
    case 'what':
      return dnsContentInGerman(value);
    case 'days':
      return value.replace(/ days$/, ' Tagen').replace(/ day$/, ' Tag');
    case 'times':
      return value.replace(/ times$/, '-mal');
    case 'values':
    case 'names':
      return value.replace(/ and (\d+) more$/, ' und $1 weitere');
    case 'subprotocol':
      return value.replace(/^the subprotocol /, 'das Subprotokoll ');
    default:
      return value;
  }
}

/** What a name lacks in DNS, or an address that the network policy refuses. */
function dnsContentInGerman(what: string): string {
  const [, lacking] = /^(.*) record$/.exec(what) ?? [];
  if (lacking !== undefined) return `keinen ${lacking}-Eintrag`;
  if (what === 'address') return 'keine Adresse';
  return what
    .replace(/^(IPv\d) address$/, 'keine $1-Adresse')
    .replace(/, which resolves to (.*),$/, ', aufgelöst zu $1');
}
