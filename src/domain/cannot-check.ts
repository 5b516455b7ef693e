// Browser-safe. Checks that cannot be made at all, however often they are tried: what is missing, and what to do.
import type { PageLanguage } from './names.ts';

/**
 * By failure class of a probe fault, the sentence of a monitor's `cannot_check`. Other probe faults (a busy probe, its own
 * network) pass by themselves.
 */
export const CANNOT_CHECK = {
  ping_unavailable:
    'Its probes cannot send pings: the program ping is missing on their machine, or may not run there. Install it (on Debian and Ubuntu: apt install iputils-ping) and let it open ICMP sockets. Checks then begin by themselves.',
  blocked_target:
    'The network policy of its regions refuses the address of this target. Watch a public address, or have the operator allow private targets in its regions.',
  unknown_type: 'Its probes are older than this type of monitor. The operator has to update them.',
  probe_forbidden:
    'The firewall of its probes’ machine blocks the requests of this check. Allow them there; checks then begin by themselves.',
  invalid_config:
    'Its probes cannot use these settings. Change and save the monitor, or have the operator update the probes.',
  rdap_no_expiry:
    'The registry of this domain does not publish when registrations expire, so nothing can be compared. Watch the domain by other means.',
  probe_frozen:
    'Its check froze a probe and is set aside for a while. Change the check: evaluate less of the response, or a smaller one.',
  check_too_costly:
    'Its check overloads a probe and is set aside for a while. Change the check: evaluate less of the response, or a smaller one.',
} as const;

/** The same in German. */
export const CANNOT_CHECK_IN_GERMAN: Readonly<Record<keyof typeof CANNOT_CHECK, string>> = {
  ping_unavailable:
    'Seine Sonden können keine Pings senden: Auf ihrem Rechner fehlt das Programm ping, oder es darf dort nicht laufen. Installieren Sie es (auf Debian und Ubuntu: apt install iputils-ping) und erlauben Sie ihm ICMP-Sockets. Dann wird von selbst geprüft.',
  blocked_target:
    'Die Netzregeln seiner Regionen verbieten die Adresse dieses Ziels. Überwachen Sie eine öffentliche Adresse, oder lassen Sie den Betreiber private Ziele in seinen Regionen erlauben.',
  unknown_type: 'Seine Sonden sind älter als dieser Monitortyp. Der Betreiber muss sie aktualisieren.',
  probe_forbidden:
    'Die Firewall auf dem Rechner seiner Sonden sperrt die Anfragen dieser Prüfung. Erlauben Sie sie dort; dann wird von selbst geprüft.',
  invalid_config:
    'Seine Sonden können mit diesen Einstellungen nichts anfangen. Ändern und speichern Sie den Monitor, oder lassen Sie den Betreiber die Sonden aktualisieren.',
  rdap_no_expiry:
    'Die Registrierungsstelle dieser Domain veröffentlicht nicht, wann Registrierungen ablaufen; es gibt nichts zu vergleichen. Überwachen Sie die Domain auf anderem Weg.',
  probe_frozen:
    'Seine Prüfung hat eine Sonde blockiert und ist eine Zeit lang zurückgestellt. Ändern Sie die Prüfung: weniger von der Antwort auswerten, oder eine kleinere.',
  check_too_costly:
    'Seine Prüfung überlastet eine Sonde und ist eine Zeit lang zurückgestellt. Ändern Sie die Prüfung: weniger von der Antwort auswerten, oder eine kleinere.',
};

const SENTENCES: Readonly<Record<string, string>> = CANNOT_CHECK;

/** The sentence of a failure class; null where the check can be made. */
export const cannotCheck = (failureClass: string | null): string | null =>
  (failureClass === null ? undefined : SENTENCES[failureClass]) ?? null;

/** The failure class that a sentence belongs to, for a reader of another language. */
export const classOfCannotCheck = (sentence: string): string | null =>
  Object.entries(SENTENCES).find(([, each]) => each === sentence)?.[0] ?? null;

/** A sentence of this list for a reader of another language; another text stays as it is. */
export function cannotCheckIn(sentence: string, language: PageLanguage): string {
  const failureClass = language === 'de' ? classOfCannotCheck(sentence) : null;
  return failureClass === null ? sentence : CANNOT_CHECK_IN_GERMAN[failureClass as keyof typeof CANNOT_CHECK];
}
