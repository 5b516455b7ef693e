import { announcement } from '../platform/announcement.ts';
import type { NoticeChannel, NoticeKind } from './data.ts';

/**
 * A notice reached somebody, or never will without somebody's help: told in the unit of work that writes it down, once
 * for each notice. What was cancelled (the alarm ended, the person left) is not told.
 */
export const noticeEnded = announcement<{
  orgId: string;
  alarmNo: number | null;
  userId: string;
  userName: string;
  channel: NoticeChannel;
  kind: NoticeKind;
  ok: boolean;
  /** A class (`smtp_timeout`, `mail_not_configured`, `http_status 500`); null where it arrived. */
  error: string | null;
  at: Date;
}>();
