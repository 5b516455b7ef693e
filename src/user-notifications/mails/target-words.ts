// Pure: a target whose deliveries fail, in words, in English and German.
import type { PageLanguage } from '#src/domain/names.ts';
import { type MailContent, nameInMail } from '#src/platform/mail/layout.ts';
import { filled } from '#src/platform/page-language.ts';
import type { TargetNoticeData } from '../data.ts';
import { utc } from './alarm-words.ts';

export type TargetKind = 'target_failing' | 'target_deactivated';

const en = {
  unnamed: 'without a name',
  titles: {
    target_failing: 'Notifications to {name} do not arrive',
    target_deactivated: 'Notifications to {name} were turned off',
  } satisfies Record<TargetKind, string>,
  failed:
    'Every attempt to deliver to the target {name} ({kind}) has failed since {since}. The last error: {error}.',
  todo: {
    target_failing:
      'People who rely on it are not notified of incidents. Check its deliveries, and the service behind it.',
    target_deactivated:
      'Nothing is sent to it any more. Once it works, turn it on again there; failed deliveries can be replayed.',
  } satisfies Record<TargetKind, string>,
  open: 'Open the target',
};

const de: typeof en = {
  unnamed: 'ohne Namen',
  titles: {
    target_failing: 'Meldungen an {name} kommen nicht an',
    target_deactivated: 'Meldungen an {name} wurden abgeschaltet',
  },
  failed:
    'Seit {since} ist jede Zustellung an das Ziel {name} ({kind}) gescheitert. Der letzte Fehler: {error}.',
  todo: {
    target_failing:
      'Wer sich darauf verlässt, erfährt nichts von Störungen. Prüfen Sie seine Zustellungen und den Dienst dahinter.',
    target_deactivated:
      'Es wird nichts mehr dorthin gesendet. Sobald es wieder geht, schalten Sie es dort ein; gescheiterte Zustellungen lassen sich wiederholen.',
  },
  open: 'Ziel öffnen',
};

const WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };

const MAX_ERROR = 120;

const nameOf = ({ target_name }: TargetNoticeData, language: PageLanguage) =>
  nameInMail(target_name) || WORDS[language].unnamed;

/** The class and status of the last failure, on one line. */
export const targetError = ({ error }: TargetNoticeData): string => nameInMail(error, MAX_ERROR);

export const targetTitle = (kind: TargetKind, data: TargetNoticeData, language: PageLanguage): string =>
  filled(WORDS[language].titles[kind], { name: nameOf(data, language) });

export function targetMail(
  kind: TargetKind,
  data: TargetNoticeData,
  url: string,
  language: PageLanguage,
): MailContent {
  const words = WORDS[language];
  return {
    title: targetTitle(kind, data, language),
    paragraphs: [
      filled(words.failed, {
        name: nameOf(data, language),
        kind: nameInMail(data.target_kind, 40),
        since: utc(data.since_unix),
        error: targetError(data),
      }),
      words.todo[kind],
    ],
    button: { label: words.open, url },
  };
}
