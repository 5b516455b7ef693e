// Pure: a notice as a push message. Push services accept 4 KiB, and everything here stays well below that.
import type { PageLanguage } from '#src/domain/names.ts';
import type { NoticeContent } from '../data.ts';
import { alarmSentence, alarmTitle } from '../mails/alarm-words.ts';
import { drillSentence, drillTitle } from '../mails/drill-words.ts';
import { pathOf } from '../mails/links.ts';
import { silenceSentence, silenceTitle } from '../mails/silence-words.ts';
import { targetError, targetTitle } from '../mails/target-words.ts';

export type PushWords = { title: string; body: string; url: string };

/** Title, text, and the path in the dashboard that it links to. */
export function pushWords(notice: NoticeContent, orgId: string, language: PageLanguage): PushWords {
  const url = pathOf(notice, orgId);
  switch (notice.kind) {
    case 'target_failing':
    case 'target_deactivated':
      return {
        title: targetTitle(notice.kind, notice.data, language),
        body: targetError(notice.data),
        url,
      };
    case 'monitors_silent':
    case 'monitors_report':
      return {
        title: silenceTitle(notice.kind, notice.data, language),
        body: silenceSentence(notice.kind, notice.data, language),
        url,
      };
    case 'drill':
    case 'drill_ended':
      return { title: drillTitle(notice, language), body: drillSentence(notice, language), url };
    default:
      return {
        title: alarmTitle(notice.kind, notice.data, language),
        body: alarmSentence(notice.kind, notice.data, language),
        url,
      };
  }
}
