// The texts of reports by mail and of their unsubscribe page, in English and German.
import type { PageLanguage } from '#src/domain/names.ts';

const en = {
  subject: '{subject}: report for {period}',
  title: 'Report for {period}: {subject}',
  lead: 'Uptime was {uptime}.',
  leadUnknown: 'Nothing is known about the uptime of this month.',
  attached: 'The whole report, with every monitor and incident, is attached as a PDF.',
  figure: '{name}: {value}',
  open: 'Open the report',
  times: 'The month begins and ends in the time zone {zone}.',
  why: 'You get this mail each month because you subscribed to it.',
  askTitle: 'Unsubscribe from this report?',
  ask: 'You will no longer get the monthly report about {subject} of {organization}.',
  button: 'Unsubscribe',
  doneTitle: 'You are unsubscribed',
  done: 'You no longer get this report by mail. You can subscribe again on the Reports page.',
  spentTitle: 'This link no longer works',
  spent: 'The subscription has ended, or the address was not copied completely.',
};

const de: typeof en = {
  subject: '{subject}: Bericht für {period}',
  title: 'Bericht für {period}: {subject}',
  lead: 'Die Verfügbarkeit betrug {uptime}.',
  leadUnknown: 'Über die Verfügbarkeit in diesem Monat ist nichts bekannt.',
  attached: 'Der ganze Bericht mit jedem Monitor und jeder Störung hängt als PDF an.',
  figure: '{name}: {value}',
  open: 'Bericht öffnen',
  times: 'Der Monat beginnt und endet in der Zeitzone {zone}.',
  why: 'Sie erhalten diese Mail jeden Monat, weil Sie sie abonniert haben.',
  askTitle: 'Diesen Bericht abbestellen?',
  ask: 'Der monatliche Bericht über {subject} von {organization} wird Ihnen dann nicht mehr zugesandt.',
  button: 'Abbestellen',
  doneTitle: 'Sie haben den Bericht abbestellt',
  done: 'Dieser Bericht wird Ihnen nicht mehr zugesandt. Auf der Seite „Berichte“ können Sie ihn wieder abonnieren.',
  spentTitle: 'Dieser Link gilt nicht mehr',
  spent: 'Das Abonnement ist beendet, oder die Adresse wurde nicht vollständig kopiert.',
};

export const MAILED_WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };
