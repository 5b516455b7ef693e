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
  times: 'The month is that of the time zone {zone}.',
  why: 'You get this mail each month because you asked for it.',
  askTitle: 'Get no more reports?',
  ask: 'The monthly report about {subject} of {organization} is then no longer mailed to you.',
  button: 'Unsubscribe',
  doneTitle: 'You are unsubscribed',
  done: 'This report is no longer mailed to you. You can ask for it again on the page of reports.',
  spentTitle: 'This link leads nowhere any more',
  spent: 'The report is no longer mailed, or the address was not copied as a whole.',
};

const de: typeof en = {
  subject: '{subject}: Bericht für {period}',
  title: 'Bericht für {period}: {subject}',
  lead: 'Die Verfügbarkeit betrug {uptime}.',
  leadUnknown: 'Über die Verfügbarkeit in diesem Monat ist nichts bekannt.',
  attached: 'Der ganze Bericht mit jedem Monitor und jeder Störung hängt als PDF an.',
  figure: '{name}: {value}',
  open: 'Bericht öffnen',
  times: 'Der Monat ist der der Zeitzone {zone}.',
  why: 'Sie erhalten diese Mail jeden Monat, weil Sie darum gebeten haben.',
  askTitle: 'Keine Berichte mehr erhalten?',
  ask: 'Der monatliche Bericht über {subject} von {organization} wird Ihnen dann nicht mehr zugesandt.',
  button: 'Abbestellen',
  doneTitle: 'Sie haben den Bericht abbestellt',
  done: 'Dieser Bericht wird Ihnen nicht mehr zugesandt. Auf der Seite der Berichte können Sie ihn wieder bestellen.',
  spentTitle: 'Dieser Link führt nirgendwohin mehr',
  spent: 'Der Bericht wird nicht mehr zugesandt, oder die Adresse wurde nicht ganz kopiert.',
};

export const MAILED_WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };
