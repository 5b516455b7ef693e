// Pure: a notice as a mail. Names in it are people's texts: each is put on one line, cut to a limit and escaped by the layout.
import { MOST_REMINDERS } from '#src/domain/escalation.ts';
import { layout, type MailContent, nameInMail } from '#src/platform/mail/layout.ts';
import type { AlarmNoticeData, CommanderNoticeData, NoticeContent, TargetNoticeData } from '../data.ts';
import { type AlarmKind, alarmLines, alarmSentence, alarmTitle, countOf, utc } from './alarm-words.ts';
import { drillMail } from './drill-words.ts';
import { pathOf } from './links.ts';
import { silenceMail } from './silence-words.ts';

export type MailContext = {
  organization: { id: string; name: string };
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
    ...layout({ ...content, smallPrint: smallPrint(notice, about) }),
  };
}

function contentOf(notice: NoticeContent, about: MailContext): MailContent {
  const url = `${about.baseUrl}${pathOf(notice, about.organization.id)}`;
  switch (notice.kind) {
    case 'target_failing':
    case 'target_deactivated':
      return targetMail(notice.kind, notice.data, url);
    case 'monitors_silent':
    case 'monitors_report':
      return silenceMail(notice.kind, notice.data, url);
    case 'drill':
    case 'drill_ended':
      return drillMail(notice, url, about.acknowledgeUrl);
    case 'alarm':
    case 'alarm_escalated':
    case 'alarm_reminder':
      return alarmMail(notice.kind, notice.data, about, url);
    case 'alarm_commander':
      return {
        title: alarmTitle(notice.kind, notice.data),
        paragraphs: [alarmSentence(notice.kind, notice.data), whatYouTook(notice.data)],
        items: alarmLines(notice.data),
        button: openButton(notice.data, url),
      };
    case 'alarm_acknowledged':
    case 'alarm_resolved':
      return {
        title: alarmTitle(notice.kind, notice.data),
        paragraphs: [alarmSentence(notice.kind, notice.data), 'You do not need to do anything.'],
        items: alarmLines(notice.data),
        button: openButton(notice.data, url),
      };
  }
}

function whatYouTook(data: CommanderNoticeData): string {
  const when = utc(data.acknowledged_at_unix);
  return countOf(data) > 1
    ? `You took them, the first on ${when}, and they are still open. Resolve each when it is over. Until then you are reminded of all of them together, once a day.`
    : `You took it on ${when}, and it is still open. Resolve it when it is over. Until then you are reminded once a day.`;
}

function alarmMail(kind: AlarmKind, data: AlarmNoticeData, about: MailContext, url: string): MailContent {
  const open = openButton(data, url);
  const { acknowledgeUrl } = about;
  return {
    title: alarmTitle(kind, data),
    paragraphs: [...(countOf(data) > 1 ? [] : [alarmSentence(kind, data)]), whyYou(data)],
    items: alarmLines(data),
    ...(acknowledgeUrl === null
      ? { button: open }
      : { button: { label: 'Acknowledge', url: acknowledgeUrl }, links: [open] }),
  };
}

const openButton = (data: AlarmNoticeData, url: string) => ({
  label: countOf(data) > 1 ? 'Open the incidents' : 'Open the incident',
  url,
});

function whyYou({ stage, reminder }: AlarmNoticeData): string {
  switch (stage) {
    case 'reminder':
      return `Nobody has acknowledged it so far: this is reminder ${reminder ?? 1} of ${MOST_REMINDERS}. Whoever takes it acknowledges it; that stops the alarm for everybody.`;
    case 'stage1':
      return 'Nobody has acknowledged it yet, so the alarm was escalated to you.';
    case 'stage2':
      return 'Nobody has acknowledged it yet, so the alarm was escalated to everyone on call and to the admins.';
    default:
      return 'Nobody has acknowledged it yet. Acknowledge it if you take it; that stops the alarm for everybody.';
  }
}

const MOST_ERROR = 120;

function targetMail(
  kind: 'target_failing' | 'target_deactivated',
  data: TargetNoticeData,
  url: string,
): MailContent {
  const name = nameInMail(data.target_name) || 'without a name';
  const error = nameInMail(data.error, MOST_ERROR);
  const since = utc(data.since_unix);
  const off = kind === 'target_deactivated';
  return {
    title: off ? `Notifications to ${name} were turned off` : `Notifications to ${name} do not arrive`,
    paragraphs: [
      `Every attempt to deliver to the target ${name} (${nameInMail(data.target_kind, 40)}) has failed since ${since}. The last error: ${error}.`,
      off
        ? 'Nothing is sent to it any more. Once it works, turn it on again there; failed deliveries can be replayed.'
        : 'People who rely on it are not notified of incidents. Check its deliveries, and the service behind it.',
    ],
    button: { label: 'Open the target', url },
  };
}

function smallPrint(notice: NoticeContent, { organization, acknowledgeUrl }: MailContext): string[] {
  const name = nameInMail(organization.name);
  const isAlarm = /^(?:alarm|drill)/.test(notice.kind);
  return [
    ...(acknowledgeUrl === null
      ? []
      : ['The button works once, within 24 hours, in your name. Do not forward this mail.']),
    notice.kind === 'alarm_commander'
      ? `You get this mail because you are the commander of an open incident of ${name}.`
      : isAlarm
        ? `You get this mail because the alarm chain of ${name} has reached you.`
        : `You get this mail because you administer ${name}.`,
  ];
}
