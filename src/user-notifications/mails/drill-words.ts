// Pure: the words for a fire drill, in mails and in push messages, in English and German. Each says first that it is one.
import type { DrillOutcome, PageLanguage } from '#src/domain/names.ts';
import { type MailContent, nameInMail } from '#src/platform/mail/layout.ts';
import { filled } from '#src/platform/page-language.ts';
import type { NoticeContent } from '../data.ts';
import { utc } from './alarm-words.ts';

export type DrillNotice = Extract<NoticeContent, { kind: 'drill' | 'drill_ended' }>;

const en = {
  titles: {
    drill: 'FIRE DRILL: acknowledge it',
    drill_ended: 'FIRE DRILL over',
  } satisfies Record<DrillNotice['kind'], string>,
  runs: 'This is a drill: nothing is down. It follows the path of a real alarm. Acknowledge it, as you would a real one.',
  ended: {
    acknowledged: 'The fire drill was acknowledged.',
    stopped: 'The fire drill was stopped.',
    unanswered: 'Nobody acknowledged the fire drill.',
    real_alarm:
      'The fire drill was cancelled because a REAL alarm has begun. What you get from now on is no drill.',
  } satisfies Record<DrillOutcome, string>,
  endedBy: {
    acknowledged: 'The fire drill was acknowledged by {by}.',
    stopped: 'The fire drill was stopped by {by}.',
  },
  started: 'Started on {time}.',
  startedBy: 'Started on {time} by {by}.',
  acknowledge: 'Acknowledge the drill',
  open: 'Open the drill',
};

const de: typeof en = {
  titles: { drill: 'PROBEALARM: übernehmen', drill_ended: 'PROBEALARM beendet' },
  runs: 'Das ist ein Probealarm: Nichts ist ausgefallen. Er nimmt den Weg eines echten Alarms. Übernehmen Sie ihn, wie Sie einen echten übernehmen würden.',
  ended: {
    acknowledged: 'Der Probealarm wurde übernommen.',
    stopped: 'Der Probealarm wurde beendet.',
    unanswered: 'Niemand hat den Probealarm übernommen.',
    real_alarm:
      'Der Probealarm wurde abgebrochen, weil ein ECHTER Alarm begonnen hat. Was Sie von jetzt an erhalten, ist keine Probe.',
  },
  endedBy: {
    acknowledged: 'Der Probealarm wurde von {by} übernommen.',
    stopped: 'Der Probealarm wurde von {by} beendet.',
  },
  started: 'Ausgelöst am {time}.',
  startedBy: 'Ausgelöst am {time} von {by}.',
  acknowledge: 'Probealarm übernehmen',
  open: 'Probealarm öffnen',
};

const WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };

export const drillTitle = ({ kind }: DrillNotice, language: PageLanguage): string =>
  WORDS[language].titles[kind];

/** One sentence: that nothing is wrong and what to do, or how the drill ended. */
export function drillSentence(notice: DrillNotice, language: PageLanguage): string {
  const words = WORDS[language];
  if (notice.kind === 'drill') return words.runs;
  const { outcome, by_name } = notice.data;
  const by = by_name === undefined ? '' : nameInMail(by_name);
  const isByHand = outcome === 'acknowledged' || outcome === 'stopped';
  return isByHand && by !== '' ? filled(words.endedBy[outcome], { by }) : words.ended[outcome];
}

/** The mail about a drill; `acknowledgeUrl` is null if there is nothing to acknowledge. */
export function drillMail(
  notice: DrillNotice,
  url: string,
  acknowledgeUrl: string | null,
  language: PageLanguage,
): MailContent {
  const words = WORDS[language];
  const { started_at_unix, started_by_name } = notice.data;
  const by = nameInMail(started_by_name);
  const open = { label: words.open, url };
  return {
    title: drillTitle(notice, language),
    paragraphs: [
      drillSentence(notice, language),
      filled(by === '' ? words.started : words.startedBy, { time: utc(started_at_unix), by }),
    ],
    ...(acknowledgeUrl === null
      ? { button: open }
      : { button: { label: words.acknowledge, url: acknowledgeUrl }, links: [open] }),
  };
}
