// What personal notices are about: stored with the notice, put into words when it is sent.

export type NoticeChannel = 'mail' | 'push';

/** What an alarm is about at one of its moments. Names are as they were then. */
export type AlarmNoticeData = {
  /** The first of them, at most 20. */
  incidents: readonly { id: string; monitor_name: string; cause: string; started_at_unix: number }[];
  /** How many there are in all. */
  total: number;
  /** Which step of the chain tells it; of what ended an alarm: how far the chain had come. */
  stage: 'start' | 'mail' | 'stage1' | 'stage2';
  /** Who acknowledged or resolved it, where somebody did. */
  by_name?: string;
};

/** A target that notifications do not reach. */
export type TargetNoticeData = {
  target_id: string;
  target_name: string;
  target_kind: string;
  since_unix: number;
  /** A class and a status (`http_status 500`), never the words of the receiver. */
  error: string;
};

export type NoticeData = {
  alarm: AlarmNoticeData;
  alarm_escalated: AlarmNoticeData;
  alarm_acknowledged: AlarmNoticeData;
  alarm_resolved: AlarmNoticeData;
  target_failing: TargetNoticeData;
  target_deactivated: TargetNoticeData;
};

export type NoticeKind = keyof NoticeData;

/** A kind together with what it is about. */
export type NoticeContent = { [Kind in NoticeKind]: { kind: Kind; data: NoticeData[Kind] } }[NoticeKind];

/** Kinds that wake somebody: void as soon as their alarm has ended, and waiting while it is paused. */
export const WAKING_KINDS: readonly NoticeKind[] = ['alarm', 'alarm_escalated'];
