// Pure: a notice as a mail. Names in it are people's texts: each is put on one line, cut to a limit and escaped by the layout.
import { MAX_REMINDERS } from '#src/domain/escalation.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { layout, type MailContent, nameInMail } from '#src/platform/mail/layout.ts';
import { filled } from '#src/platform/page-language.ts';
import type { AlarmNoticeData, NoticeContent } from '../data.ts';
import {
  ALARM_WORDS,
  type AlarmKind,
  alarmLines,
  alarmSentence,
  alarmTitle,
  commanderDuties,
  countOf,
} from './alarm-words.ts';
import { drillMail } from './drill-words.ts';
import { pathOf } from './links.ts';
import { silenceMail } from './silence-words.ts';
import { targetMail } from './target-words.ts';

export type MailContext = {
  organization: { id: string; name: string };
  /** Of the person who gets it. */
  language: PageLanguage;
  /** Without a slash at the end. */
  baseUrl: string;
  /** Acknowledges the alarm without signing in; null if there is nothing to acknowledge. */
  acknowledgeUrl: string | null;
};

export type NoticeMail = { subject: string; html: string; text: string };

/** Subject and both bodies of a notice. */
export function mailOf(notice: NoticeContent, about: MailContext): NoticeMail {
  const content = contentOf(notice, about);
  return {
    subject: `[${nameInMail(about.organization.name, 40)}] ${content.title}`,
    ...layout({ ...content, language: about.language, smallPrint: smallPrint(notice, about) }),
  };
}

function contentOf(notice: NoticeContent, about: MailContext): MailContent {
  const { language } = about;
  const words = ALARM_WORDS[language];
  const url = `${about.baseUrl}${pathOf(notice, about.organization.id)}`;
  switch (notice.kind) {
    case 'target_failing':
    case 'target_deactivated':
      return targetMail(notice.kind, notice.data, url, language);
    case 'monitors_silent':
    case 'monitors_report':
      return silenceMail(notice.kind, notice.data, url, language);
    case 'drill':
    case 'drill_ended':
      return drillMail(notice, url, about.acknowledgeUrl, language);
    case 'alarm':
    case 'alarm_escalated':
    case 'alarm_reminder':
      return alarmMail(notice.kind, notice.data, about, url);
    case 'alarm_commander':
      return {
        title: alarmTitle(notice.kind, notice.data, language),
        paragraphs: [
          alarmSentence(notice.kind, notice.data, language),
          commanderDuties(notice.data, language),
        ],
        items: alarmLines(notice.data, language),
        button: openButton(notice.data, url, language),
      };
    case 'alarm_acknowledged':
    case 'alarm_resolved':
      return {
        title: alarmTitle(notice.kind, notice.data, language),
        paragraphs: [
          alarmSentence(notice.kind, notice.data, language),
          notice.kind === 'alarm_resolved' && notice.data.quiet
            ? filled(words.quiet, { count: notice.data.quiet })
            : words.nothingToDo,
        ],
        items: alarmLines(notice.data, language),
        button: openButton(notice.data, url, language),
      };
  }
}

function alarmMail(kind: AlarmKind, data: AlarmNoticeData, about: MailContext, url: string): MailContent {
  const { acknowledgeUrl, language } = about;
  const open = openButton(data, url, language);
  return {
    title: alarmTitle(kind, data, language),
    paragraphs: [...(countOf(data) > 1 ? [] : [alarmSentence(kind, data, language)]), whyYou(data, language)],
    items: alarmLines(data, language),
    ...(acknowledgeUrl === null
      ? { button: open }
      : { button: { label: ALARM_WORDS[language].acknowledge, url: acknowledgeUrl }, links: [open] }),
  };
}

const openButton = (data: AlarmNoticeData, url: string, language: PageLanguage) => ({
  label: countOf(data) > 1 ? ALARM_WORDS[language].openMany : ALARM_WORDS[language].openOne,
  url,
});

function whyYou({ stage, reminder }: AlarmNoticeData, language: PageLanguage): string {
  const { why } = ALARM_WORDS[language];
  switch (stage) {
    case 'reminder':
      return filled(why.reminder, { no: reminder ?? 1, most: MAX_REMINDERS });
    case 'stage1':
    case 'stage2':
      return why[stage];
    default:
      return why.other;
  }
}

function smallPrint(
  notice: NoticeContent,
  { organization, acknowledgeUrl, language }: MailContext,
): string[] {
  const words = ALARM_WORDS[language];
  const isAlarm = /^(?:alarm|drill)/.test(notice.kind);
  const why =
    notice.kind === 'alarm_commander' ? words.whyCommander : isAlarm ? words.whyChain : words.whyAdmin;
  return [
    ...(acknowledgeUrl === null ? [] : [words.once]),
    filled(why, { name: nameInMail(organization.name) }),
  ];
}
