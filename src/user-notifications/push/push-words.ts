// Pure: what a notice says as a push message. A service takes 4 KiB, so everything is bounded well below it.
import { nameInMail } from '#src/platform/mail/layout.ts';
import type { NoticeContent } from '../data.ts';
import { alarmSentence, alarmTitle } from '../mails/alarm-words.ts';
import { pathOf } from '../mails/links.ts';

export type PushWords = { title: string; body: string; url: string };

/** Title, text, and where in the dashboard it leads (a path). */
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
    default:
      return {
        title: alarmTitle(notice.kind, notice.data),
        body: alarmSentence(notice.kind, notice.data),
        url,
      };
  }
}
