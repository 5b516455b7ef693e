// The data of user notifications (notices): stored with the notice, put into words when it is sent.
import type { Step } from '../domain/escalation.ts';
import type { DrillOutcome } from '../domain/names.ts';

export type NoticeChannel = 'mail' | 'push';

/** The incidents of an alarm at one moment, with their names at that moment. */
export type AlarmNoticeData = {
  /** The first of them, at most 20. */
  incidents: readonly { id: string; monitor_name: string; cause: string; started_at_unix: number }[];
  /** Their number in all. */
  total: number;
  /** What the incidents share, in words, where they are a storm and share anything. */
  storm_name?: string;
  /**
   * The step of the alarm chain that sends the notice; after the end of an alarm, the last step that was reached. `storm`: the
   * alarm was one incident's and is a storm's now, or none of the storm is open any more.
   */
  stage: Step | 'storm';
  /** The number of a reminder, from 1. */
  reminder?: number;
  /** Name of the person who acknowledged or resolved it. */
  by_name?: string;
  /** Open incidents of the storm that rang for nobody so far: they are held, in maintenance or degraded. */
  quiet?: number;
};

/** An incident that somebody took and that is still open, or those of a storm; `acknowledged_at_unix` is the first's. */
export type CommanderNoticeData = AlarmNoticeData & { acknowledged_at_unix: number };

/** A target whose deliveries fail. */
export type TargetNoticeData = {
  target_id: string;
  target_name: string;
  target_kind: string;
  since_unix: number;
  /** A class and a status (`http_status 500`), never the receiver's words. */
  error: string;
};

/** Monitors of an organization without data. */
export type SilenceNoticeData = {
  /** The first of them, at most 20. */
  monitors: readonly { id: string; name: string }[];
  total: number;
  since_unix: number;
  /** Remedies for checks that cannot be made, each once. */
  remedies: readonly string[];
};

/** A fire drill: nothing is wrong, somebody tries whether the alarm arrives. */
export type DrillNoticeData = {
  drill_id: string;
  stage: Step;
  started_at_unix: number;
  /** Name of the person or key that started it; '' for one that is gone. */
  started_by_name: string;
};

/** The end of a drill, for the people whom it had reached. */
export type DrillEndedNoticeData = DrillNoticeData & {
  outcome: DrillOutcome;
  /** Name of the person or key that ended it. */
  by_name?: string;
};

export type NoticeData = {
  drill: DrillNoticeData;
  drill_ended: DrillEndedNoticeData;
  alarm: AlarmNoticeData;
  alarm_escalated: AlarmNoticeData;
  alarm_reminder: AlarmNoticeData;
  alarm_commander: CommanderNoticeData;
  alarm_acknowledged: AlarmNoticeData;
  alarm_resolved: AlarmNoticeData;
  target_failing: TargetNoticeData;
  target_deactivated: TargetNoticeData;
  monitors_silent: SilenceNoticeData;
  monitors_report: SilenceNoticeData;
};

export type NoticeKind = keyof NoticeData;

/** A kind of notice with its data. */
export type NoticeContent = { [Kind in NoticeKind]: { kind: Kind; data: NoticeData[Kind] } }[NoticeKind];

/** Kinds that wake somebody: sent first, and waiting while their alarm is paused. */
export const WAKING_KINDS: readonly NoticeKind[] = ['alarm', 'alarm_escalated', 'alarm_reminder'];

/** Kinds that an alarm sends on its course: cancelled as soon as it has ended. A drill takes no place from an alarm. */
export const CANCELLED_WITH_ALARM: readonly NoticeKind[] = [...WAKING_KINDS, 'drill'];
