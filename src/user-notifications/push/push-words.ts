// Pure: a notice as a push message. Push services accept 4 KiB, and everything here stays well below that.
import { nameInMail } from '#src/platform/mail/layout.ts';
import type { NoticeContent } from '../data.ts';
import { alarmSentence, alarmTitle } from '../mails/alarm-words.ts';
import { drillSentence, drillTitle } from '../mails/drill-words.ts';
import { pathOf } from '../mails/links.ts';
import { silenceSentence, silenceTitle } from '../mails/silence-words.ts';

export type PushWords = { title: string; body: string; url: string };

/** Title, text, and the path in the dashboard that it links to. */
export function pushWords(notice: NoticeContent, orgId: string): PushWords {
  const url = pathOf(notice, orgId);
  switch (notice.kind) {
    case 'target_failing':
    case 'target_deactivated': {
      const name = nameInMail(notice.data.target_name);
      const isOff = notice.kind === 'target_deactivated';
      return {
        title: isOff ? `Notifications to ${name} were turned off` : `Notifications to ${name} do not arrive`,
        body: nameInMail(notice.data.error, 120),
        url,
      };
    }
    case 'monitors_silent':
    case 'monitors_report':
      return {
        title: silenceTitle(notice.kind, notice.data),
        body: silenceSentence(notice.kind, notice.data),
        url,
      };
    case 'drill':
    case 'drill_ended':
      return { title: drillTitle(notice), body: drillSentence(notice), url };
    default:
      return {
        title: alarmTitle(notice.kind, notice.data),
        body: alarmSentence(notice.kind, notice.data),
        url,
      };
  }
}
