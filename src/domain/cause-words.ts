// Browser-safe. What Tocsin itself wrote about an incident, for a reader of another language: its cause and summary
// (./evidence.ts) and the name of a storm (./storm.ts) are stored in English. Whatever else somebody wrote stays as it is.
import { expectationInGerman } from './expectation-phrases.ts';
import { capital, classOfWords, foundWords, listed } from './failure-words.ts';
import type { PageLanguage } from './names.ts';

const NO_PASSING_CHECK = 'no passing check';

/** `Connection refused (2 of 3 regions)` → `Verbindung abgelehnt (2 von 3 Regionen)`. */
export const causeIn = (cause: string, language: PageLanguage): string =>
  (language === 'en' ? null : inGerman(cause)) ?? cause;

/** null for words that are not ours. */
function inGerman(cause: string): string | null {
  const group = /^(\d+) of (\d+) members failed: (.*)$/s.exec(cause);
  if (group) return `${group[1]} von ${group[2]} Mitgliedern ausgefallen: ${listIn(group[3] ?? '')}`;
  if (cause === 'Members had failed') return 'Mitglieder waren ausgefallen';
  const member = /^(.*) has failed$/s.exec(cause);
  if (member) return `${member[1]} ist ausgefallen`;
  // A failure and where it was found, once or several times.
  const found = [cause, ...cause.split(/(?<=\))(?:, | and )/)].map(foundIn);
  const [whole = null, ...parts] = found;
  if (whole !== null) return capital(whole);
  return parts.includes(null) ? null : capital(listed(parts as string[], 'und'));
}

function foundIn(found: string): string | null {
  const [, failure = '', where] = /^(.*?)(?: \(((?:[^()]|\([^()]*\))*)\))?$/s.exec(found) ?? [];
  const words = failureIn(failure);
  return words === null || where === undefined ? words : `${words} (${regionsIn(where)})`;
}

/** `Shop: connection refused (Tokyo). Expected a connection within 5 s.`: the summary of an incident, whose name stays. */
export function summaryIn(summary: string, language: PageLanguage): string {
  const [, before = '', expected] = /^(.*)\. Expected (.*)\.$/s.exec(summary) ?? [];
  if (language === 'en' || expected === undefined) return summary;
  for (let at = before.indexOf(': '); at >= 0; at = before.indexOf(': ', at + 1)) {
    const words = inGerman(capital(before.slice(at + 2)));
    if (words !== null)
      return `${before.slice(0, at)}: ${words}. Erwartet: ${expectationInGerman(expected)}.`;
  }
  return summary;
}

/** `db.example.com, connection refused` → `db.example.com, Verbindung abgelehnt`. */
export function stormNameIn(name: string, language: PageLanguage): string {
  if (language === 'en') return name;
  return name
    .split(', ')
    .map((part) => {
      const failureClass = classOfWords(part);
      return failureClass === null
        ? part.replace(/^seen from /, 'gesehen von ')
        : foundWords(failureClass, 'de');
    })
    .join(', ');
}

function failureIn(failure: string): string | null {
  // HTTP 500, 502 and 503
  const codes = /^HTTP (\d{3}(?:, \d{3})*)(?: and (\d{3}))?$/.exec(failure);
  if (codes) return `HTTP ${codes[1]}${codes[2] === undefined ? '' : ` und ${codes[2]}`}`;
  // The first letter of a cause is a capital, whatever its word has.
  const own = failure.charAt(0).toLowerCase() + failure.slice(1);
  if (own === NO_PASSING_CHECK) return 'keine bestandene Prüfung';
  const failureClass = classOfWords(own) ?? classOfWords(failure);
  return failureClass === null ? null : foundWords(failureClass, 'de');
}

/** `2 of 3 regions`, or the name of the only one. */
const regionsIn = (where: string): string => where.replace(/^(\d+) of (\d+) regions$/, '$1 von $2 Regionen');

/** Names with `and` before the last. Where a name itself has an `and`, nothing says which one is ours. */
const listIn = (names: string): string =>
  names.split(' and ').length === 2 ? names.replace(' and ', ' und ') : names;
