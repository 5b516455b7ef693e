// Troubles in English and German, for mails and the API.
import type { PageLanguage } from '../domain/names.ts';
import { nameInMail } from '../platform/mail/layout.ts';
import { filled } from '../platform/page-language.ts';
import type { OperatorTrouble } from './troubles.ts';

type Reported = { kind: OperatorTrouble; subject: string; data: Record<string, unknown> };

/** `edge_away` and `probe_idle` are what `edge_failing` and `probe_lagging` mean more exactly. */
type Code = OperatorTrouble | 'probe_idle' | 'edge_away';
/** Title of the problem, its meaning with the remedy, and the title of its end. */
type TroubleWords = { title: string; sentence: string; over: string };

const en = {
  region_offline: {
    title: 'Region {name} is offline',
    sentence:
      'No probe of it is heard from, or none delivers results; {monitors} of its monitors are not checked from there. See that its probes run and reach this server.',
    over: 'Region {name} is online again',
  },
  probe_lagging: {
    title: 'Probe {probe} of region {name} is too busy',
    sentence:
      'It cannot make or judge every check in time. Give its machine more processor time, or start another probe in its region.',
    over: 'Probe {probe} of region {name} no longer lags',
  },
  probe_idle: {
    title: 'Probe {probe} of region {name} delivers no results',
    sentence:
      'It fetches its monitors but delivers no results. The other probes of its region check its monitors meanwhile. Its log says more.',
    over: 'Probe {probe} of region {name} no longer lags',
  },
  queue_lagging: {
    title: 'The queue of {queue} does not move',
    sentence:
      '{count} wait, the oldest for over a minute. Check the log, the load and the database of the server.',
    over: 'The queue of {queue} moves again',
  },
  disk_full: {
    title: 'The disk of the {subject} is full, or nearly',
    sentence:
      'Results of checks are refused until there is space again; probes keep them, and alarms continue. Enlarge the disk, or delete files that do not belong to Tocsin.',
    over: 'The disk of the {subject} has space again',
  },
  edge_failing: {
    title: 'The edge {subject} rejects its configuration',
    sentence:
      'It keeps its previous configuration, if it had one, and does not serve new custom domains. Run the doctor to see its answer.',
    over: 'The edge {subject} has its configuration again',
  },
  edge_away: {
    title: 'The edge {subject} does not answer',
    sentence:
      'Custom domains that point to it may be down, and new ones get no certificate. Start that Caddy, and check that this server can reach its admin API.',
    over: 'The edge {subject} has its configuration again',
  },
} satisfies Record<Code, TroubleWords>;

const de: typeof en = {
  region_offline: {
    title: 'Die Region {name} ist offline',
    sentence:
      'Keine ihrer Sonden meldet sich, oder keine liefert Ergebnisse; Monitore, die von dort niemand prüft: {monitors}. Sehen Sie nach, ob ihre Sonden laufen und diesen Server erreichen.',
    over: 'Die Region {name} ist wieder online',
  },
  probe_lagging: {
    title: 'Die Sonde {probe} der Region {name} ist überlastet',
    sentence:
      'Sie kann nicht jede Prüfung rechtzeitig machen oder beurteilen. Geben Sie ihrem Rechner mehr Rechenzeit, oder starten Sie eine weitere Sonde in ihrer Region.',
    over: 'Die Sonde {probe} der Region {name} kommt wieder nach',
  },
  probe_idle: {
    title: 'Die Sonde {probe} der Region {name} liefert keine Ergebnisse',
    sentence:
      'Sie holt ihre Monitore ab, liefert aber keine Ergebnisse. Die anderen Sonden ihrer Region prüfen diese solange mit. Ihr Log sagt mehr.',
    over: 'Die Sonde {probe} der Region {name} kommt wieder nach',
  },
  queue_lagging: {
    title: 'Die Warteschlange der {queue} steht',
    sentence:
      '{count} warten, der älteste Eintrag seit über einer Minute. Prüfen Sie Log, Last und Datenbank des Servers.',
    over: 'Die Warteschlange der {queue} bewegt sich wieder',
  },
  disk_full: {
    title: 'Der Speicherplatz ({subject}) ist voll oder fast voll',
    sentence:
      'Prüfergebnisse werden abgelehnt, bis wieder Platz ist; die Sonden heben sie auf, und Alarme laufen weiter. Vergrößern Sie die Platte, oder löschen Sie Dateien, die nicht zu Tocsin gehören.',
    over: 'Es ist wieder Speicherplatz da ({subject})',
  },
  edge_failing: {
    title: 'Der Edge {subject} nimmt seine Konfiguration nicht an',
    sentence:
      'Er läuft mit der bisherigen weiter, falls es eine gab, und liefert neue eigene Domains nicht aus. Die Diagnose zeigt seine Antwort.',
    over: 'Der Edge {subject} hat seine Konfiguration wieder',
  },
  edge_away: {
    title: 'Der Edge {subject} antwortet nicht',
    sentence:
      'Eigene Domains, die dorthin führen, werden vielleicht nicht ausgeliefert, und neue erhalten kein Zertifikat. Starten Sie diesen Caddy, und sorgen Sie dafür, dass dieser Server seine Admin-API erreicht.',
    over: 'Der Edge {subject} hat seine Konfiguration wieder',
  },
};

const WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };

const QUEUES: Readonly<Record<PageLanguage, Readonly<Record<string, string>>>> = {
  en: {
    deliveries: 'notifications to targets',
    notices: 'mails and pushes to people',
    jobs: 'stored jobs',
  },
  de: {
    deliveries: 'Meldungen an Ziele',
    notices: 'E-Mails und Push-Mitteilungen an Personen',
    jobs: 'gespeicherten Aufgaben',
  },
};

function codeOf({ kind, data }: Reported): Code {
  if (kind === 'probe_lagging' && data.reason === 'no_results') return 'probe_idle';
  return kind === 'edge_failing' && data.reason === 'away' ? 'edge_away' : kind;
}

function say(trouble: Reported, what: keyof TroubleWords, language: PageLanguage): string {
  const { kind, subject, data } = trouble;
  const text = (value: unknown) => nameInMail(String(value ?? ''));
  return filled(WORDS[language][codeOf(trouble)][what], {
    name: text(data.name),
    probe: text(data.probe),
    monitors: String(data.monitors),
    count: String(data.count),
    queue: QUEUES[language][subject] ?? subject,
    subject: kind === 'disk_full' ? text(subject) : subject,
  });
}

/** The title of a problem. */
export const troubleTitle = (trouble: Reported, language: PageLanguage) => say(trouble, 'title', language);

/** The meaning of a problem, and the remedy. */
export const troubleSentence = (trouble: Reported, language: PageLanguage) =>
  say(trouble, 'sentence', language);

/** That it is over. */
export const overTitle = (trouble: Reported, language: PageLanguage) => say(trouble, 'over', language);
