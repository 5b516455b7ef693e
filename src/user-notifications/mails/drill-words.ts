// Pure: the words for a fire drill, in mails and in push messages. Each says first that it is one.
import type { MailContent } from '#src/platform/mail/layout.ts';
import { nameInMail } from '#src/platform/mail/layout.ts';
import type { NoticeContent } from '../data.ts';
import { utc } from './alarm-words.ts';

export type DrillNotice = Extract<NoticeContent, { kind: 'drill' | 'drill_ended' }>;

export function drillTitle({ kind }: DrillNotice): string {
  return kind === 'drill' ? 'FIRE DRILL: acknowledge it' : 'FIRE DRILL over';
}

/** One sentence: that nothing is wrong and what to do, or how the drill ended. */
export function drillSentence(notice: DrillNotice): string {
  if (notice.kind === 'drill')
    return 'This is a drill: nothing is down. It takes the way of a real alarm. Acknowledge it, as you would a real one.';
  const { outcome, by_name } = notice.data;
  const by = by_name === undefined || by_name === '' ? '' : ` by ${nameInMail(by_name)}`;
  switch (outcome) {
    case 'acknowledged':
      return `The fire drill was acknowledged${by}.`;
    case 'stopped':
      return `The fire drill was stopped${by}.`;
    case 'unanswered':
      return 'Nobody acknowledged the fire drill.';
    case 'real_alarm':
      return 'The fire drill was broken off, because a REAL alarm has begun. What you get from now on is no drill.';
  }
}

/** The mail about a drill; `acknowledgeUrl` is null if there is nothing to acknowledge. */
export function drillMail(notice: DrillNotice, url: string, acknowledgeUrl: string | null): MailContent {
  const { started_at_unix, started_by_name } = notice.data;
  const by = nameInMail(started_by_name);
  const open = { label: 'Open the drill', url };
  return {
    title: drillTitle(notice),
    paragraphs: [drillSentence(notice), `Started on ${utc(started_at_unix)}${by === '' ? '' : ` by ${by}`}.`],
    ...(acknowledgeUrl === null
      ? { button: open }
      : { button: { label: 'Acknowledge the drill', url: acknowledgeUrl }, links: [open] }),
  };
}
