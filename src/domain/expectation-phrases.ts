// Browser-safe. What a monitor may expect of its target, in the words that its evidence stores, and in German (nominative).
import { makeTranslator, type Phrases, pairsOf } from './phrases.ts';

/** Any of them, and a time limit. */
export const WITHIN = {
  within: { en: '{{expectation}} within {{seconds}} s', de: '{{expectation}} innerhalb von {{seconds}} s' },
} as const satisfies Phrases<string>;

export const EXPECTATIONS = {
  passing: { en: 'a passing check', de: 'eine bestandene Prüfung' },

  address: { en: 'an address for the name', de: 'eine Adresse zum Namen' },
  connection: { en: 'a connection', de: 'eine Verbindung' },
  handshake: { en: 'a TLS handshake', de: 'ein TLS-Handshake' },
  headers: { en: 'the headers asked for', de: 'die verlangten Header' },
  body: { en: 'the body asked for', de: 'der verlangte Inhalt' },
  json: { en: 'the JSON asked for', de: 'das verlangte JSON' },
  sign_in: { en: 'the sign-in to be accepted', de: 'eine erfolgreiche Anmeldung' },

  status_of: { en: 'a status of {{ranges}}', de: 'der Status {{ranges}}' },
  status_in: { en: 'a status in {{ranges}}', de: 'ein Status aus {{ranges}}' },
  port: { en: 'a connection to port {{port}}', de: 'eine Verbindung zu Port {{port}}' },
  tls_port: { en: 'a TLS connection to port {{port}}', de: 'eine TLS-Verbindung zu Port {{port}}' },
  answer: { en: 'an answer', de: 'eine Antwort' },
  answer_with: { en: 'an answer with {{text}}', de: 'eine Antwort mit {{text}}' },
  loss: { en: 'at most {{pct}} % of packets lost', de: 'höchstens {{pct}} % verlorene Pakete' },
  dns_rcode: { en: 'the answer {{rcode}} from DNS', de: 'die DNS-Antwort {{rcode}}' },
  dns_record: {
    en: 'an answer from DNS with a record of type {{type}}',
    de: 'eine DNS-Antwort mit einem Eintrag vom Typ {{type}}',
  },
  dns_with: { en: 'an answer from DNS with {{values}}', de: 'eine DNS-Antwort mit {{values}}' },
  dns_only: { en: 'an answer from DNS with only {{values}}', de: 'eine DNS-Antwort mit nur {{values}}' },
  certificate: { en: 'a valid certificate', de: 'ein gültiges Zertifikat' },
  certificate_day: {
    en: 'a certificate valid for 1 more day',
    de: 'ein Zertifikat, das noch 1 Tag gültig ist',
  },
  certificate_days: {
    en: 'a certificate valid for {{days}} more days',
    de: 'ein Zertifikat, das noch {{days}} Tage gültig ist',
  },
  registration: { en: 'a valid registration', de: 'eine gültige Registrierung' },
  registration_day: {
    en: 'a registration valid for 1 more day',
    de: 'eine Registrierung, die noch 1 Tag gültig ist',
  },
  registration_days: {
    en: 'a registration valid for {{days}} more days',
    de: 'eine Registrierung, die noch {{days}} Tage gültig ist',
  },
  open_websocket: { en: 'an open WebSocket', de: 'ein offener WebSocket' },
  websocket_message: { en: 'a message with {{text}}', de: 'eine Nachricht mit {{text}}' },
  grpc_server: { en: 'the gRPC server serving', de: 'ein gRPC-Server mit dem Status SERVING' },
  grpc_service: {
    en: 'the gRPC service {{service}} serving',
    de: 'der gRPC-Dienst {{service}} mit dem Status SERVING',
  },
  mail_greeting: {
    en: 'a greeting of the {{protocol}} server',
    de: 'eine Begrüßung durch den {{protocol}}-Server',
  },
  mail_sign_in: {
    en: 'a sign-in to the {{protocol}} server',
    de: 'eine Anmeldung am {{protocol}}-Server',
  },
  database: { en: 'an answer by {{engine}}', de: 'eine Antwort von {{engine}}' },
  database_query: {
    en: 'the query to be answered by {{engine}}',
    de: 'eine Antwort auf die Abfrage von {{engine}}',
  },
  heartbeat: {
    en: 'a ping every {{period}}, at most {{grace}} late',
    de: 'ein Ping alle {{period}}, höchstens {{grace}} verspätet',
  },
  heartbeat_cron: {
    en: 'a ping at {{expression}} ({{timezone}}), at most {{grace}} late',
    de: 'ein Ping nach dem Zeitplan {{expression}} ({{timezone}}), höchstens {{grace}} verspätet',
  },
  host: { en: 'a host that reports', de: 'ein Host, der sich meldet' },
  at_most: { en: '{{metric}} of at most {{threshold}}', de: '{{metric}} von höchstens {{threshold}}' },
  below: { en: '{{metric}} below {{threshold}}', de: '{{metric}} unter {{threshold}}' },
  at_least: { en: '{{metric}} of at least {{threshold}}', de: '{{metric}} von mindestens {{threshold}}' },
  above: { en: '{{metric}} above {{threshold}}', de: '{{metric}} über {{threshold}}' },
  service_running: { en: 'the service {{service}} running', de: 'ein laufender Dienst {{service}}' },
  service_running_with: {
    en: 'the service {{service}} running with at most {{limits}}',
    de: 'ein laufender Dienst {{service}} mit höchstens {{limits}}',
  },
  service_stopped: { en: 'the service {{service}} stopped', de: 'ein angehaltener Dienst {{service}}' },
  any_failed: { en: 'no member to have failed', de: 'kein ausgefallenes Mitglied' },
  all_failed: {
    en: 'at least one member not to have failed',
    de: 'mindestens ein Mitglied, das nicht ausgefallen ist',
  },
  count_failed: {
    en: 'fewer than {{count}} members to have failed',
    de: 'weniger als {{count}} ausgefallene Mitglieder',
  },
  member: { en: '{{member}} to pass', de: '{{member}} ohne Ausfall' },
} as const satisfies Phrases<string>;

export type Expectation = keyof typeof EXPECTATIONS;

const translate = makeTranslator(pairsOf(EXPECTATIONS), valueIn);
const translateWithin = makeTranslator(pairsOf(WITHIN), valueIn);

/** An expectation in German: "ein Status aus 200-299 innerhalb von 10 s". Texts that are none of these stay as they are. */
export function expectationInGerman(words: string): string {
  return translateWithin(words) ?? translate(words) ?? words;
}

function valueIn(name: string, value: string): string {
  switch (name) {
    case 'expectation':
      return expectationInGerman(value);
    case 'ranges':
    case 'values':
    case 'limits':
      return listInGerman(value);
    case 'period':
    case 'grace':
      return value.replace(/ days$/, ' Tage');
    case 'seconds':
    case 'pct':
    case 'threshold':
      return value.replace(/^(-?\d+)\.(\d+)$/, '$1,$2');
    case 'engine':
      return value === 'the database' ? 'der Datenbank' : value;
    default:
      return value;
  }
}

/** "a, b and 2 more" → "a, b und 2 weiteren". */
const listInGerman = (list: string): string =>
  list
    .replace(/ (and|or) (?!.* (?:and|or) )/s, (_, word: string) => (word === 'and' ? ' und ' : ' oder '))
    .replace(/(\d+) more$/, '$1 weiteren')
    .replaceAll(' % of CPU', ' % CPU')
    .replaceAll(' MB of memory', ' MB Arbeitsspeicher');
