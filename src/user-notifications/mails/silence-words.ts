// Pure: monitors without data, in words, in English and German.
import { cannotCheckIn } from '#src/domain/cannot-check.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { type MailContent, nameInMail } from '#src/platform/mail/layout.ts';
import { filled } from '#src/platform/page-language.ts';
import type { SilenceNoticeData } from '../data.ts';
import { utc } from './alarm-words.ts';

export type SilenceKind = 'monitors_silent' | 'monitors_report';

const en = {
  many: '{count} monitors',
  titles: {
    monitors_silent: { one: 'No data from {who}', many: 'No data from {who}' },
    monitors_report: { one: '{who} reports again', many: '{who} report again' },
  } satisfies Record<SilenceKind, object>,
  sentences: {
    monitors_silent: {
      one: 'No region reports since {since}. Nobody knows whether it is up, and no incident of it can open.',
      many: 'No region reports since {since}. Nobody knows whether they are up, and no incident of them can open.',
    },
    monitors_report: {
      one: 'There was no data since {since}. What happened meanwhile is unknown, and counts as neither up nor down.',
      many: 'There was no data since {since}. What happened meanwhile is unknown, and counts as neither up nor down.',
    },
  } satisfies Record<SilenceKind, object>,
  nothingToDo: 'There is nothing that you have to do.',
  look: 'Look at the regions of these monitors and their probes, or ask the operator of this installation.',
  more: 'and {count} more',
  openOne: 'Open the monitor',
  openMany: 'Open the monitors',
};

const de: typeof en = {
  many: '{count} Monitoren',
  titles: {
    monitors_silent: { one: 'Keine Daten von {who}', many: 'Keine Daten von {who}' },
    monitors_report: { one: 'Wieder Daten von {who}', many: 'Wieder Daten von {who}' },
  },
  sentences: {
    monitors_silent: {
      one: 'Seit {since} meldet keine Region etwas. Niemand weiß, ob er läuft, und keine Störung von ihm kann beginnen.',
      many: 'Seit {since} meldet keine Region etwas. Niemand weiß, ob sie laufen, und keine Störung von ihnen kann beginnen.',
    },
    monitors_report: {
      one: 'Seit {since} gab es keine Daten. Was in der Zwischenzeit war, ist unbekannt und zählt weder als verfügbar noch als ausgefallen.',
      many: 'Seit {since} gab es keine Daten. Was in der Zwischenzeit war, ist unbekannt und zählt weder als verfügbar noch als ausgefallen.',
    },
  },
  nothingToDo: 'Sie müssen nichts tun.',
  look: 'Sehen Sie nach den Regionen dieser Monitore und deren Sonden, oder fragen Sie den Betreiber dieser Installation.',
  more: 'und {count} weitere',
  openOne: 'Monitor öffnen',
  openMany: 'Monitore öffnen',
};

const WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };

const formOf = (total: number) => (total === 1 ? 'one' : 'many');

/** `No data from Shop`, `No data from 12 monitors`, `Shop reports again`. */
export function silenceTitle(
  kind: SilenceKind,
  { monitors, total }: SilenceNoticeData,
  language: PageLanguage,
): string {
  const words = WORDS[language];
  const [first] = monitors;
  const isOne = total === 1 && first !== undefined;
  const who = isOne ? nameInMail(first.name) : filled(words.many, { count: total });
  return filled(words.titles[kind][formOf(total)], { who });
}

export function silenceSentence(
  kind: SilenceKind,
  { since_unix, total }: SilenceNoticeData,
  language: PageLanguage,
): string {
  return filled(WORDS[language].sentences[kind][formOf(total)], { since: utc(since_unix) });
}

export function silenceMail(
  kind: SilenceKind,
  data: SilenceNoticeData,
  url: string,
  language: PageLanguage,
): MailContent {
  const words = WORDS[language];
  const { monitors, total, remedies } = data;
  const more = total - monitors.length;
  const whatToDo = remedies.length > 0 ? remedies.map((each) => cannotCheckIn(each, language)) : [words.look];
  return {
    title: silenceTitle(kind, data, language),
    paragraphs: [
      silenceSentence(kind, data, language),
      ...(kind === 'monitors_report' ? [words.nothingToDo] : whatToDo),
    ],
    items:
      total === 1
        ? []
        : [
            ...monitors.map(({ name }) => nameInMail(name)),
            ...(more > 0 ? [filled(words.more, { count: more })] : []),
          ],
    button: { label: total === 1 ? words.openOne : words.openMany, url },
  };
}
