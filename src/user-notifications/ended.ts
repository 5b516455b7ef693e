import { hook } from '../platform/hook.ts';
import type { NoticeChannel, NoticeKind } from './data.ts';

/**
 * A notice reached its person, or never will unless somebody steps in: announced once for each notice, in the unit of work
 * that records it. Cancelled notices (the alarm ended, the person left) are not announced.
 */
export const noticeEnded = hook<EndedNotice>();

export type EndedNotice = {
  orgId: string;
  alarmNo: number | null;
  userId: string;
  userName: string;
  channel: NoticeChannel;
  kind: NoticeKind;
  /** The incidents that it names, at most 20. */
  incidentIds: readonly string[];
  ok: boolean;
  /** A class (`smtp_timeout`, `mail_not_configured`, `http_status 500`); null if it arrived. */
  error: string | null;
  at: Date;
};
