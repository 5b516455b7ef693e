// Pure: monitors without data, in words.
import { type MailContent, nameInMail } from '#src/platform/mail/layout.ts';
import type { SilenceNoticeData } from '../data.ts';
import { utc } from './alarm-words.ts';

export type SilenceKind = 'monitors_silent' | 'monitors_report';

/** `No data from Shop`, `No data from 12 monitors`, `Shop reports again`. */
export function silenceTitle(kind: SilenceKind, { monitors, total }: SilenceNoticeData): string {
  const [first] = monitors;
  const who = total === 1 && first !== undefined ? nameInMail(first.name) : `${total} monitors`;
  if (kind === 'monitors_silent') return `No data from ${who}`;
  return total === 1 ? `${who} reports again` : `${who} report again`;
}

export function silenceSentence(kind: SilenceKind, { since_unix, total }: SilenceNoticeData): string {
  const since = utc(since_unix);
  if (kind === 'monitors_report')
    return `There was no data since ${since}. What happened meanwhile is unknown, and counts as neither up nor down.`;
  const them =
    total === 1
      ? 'it is up, and no incident of it can open'
      : 'they are up, and no incident of them can open';
  return `No region reports since ${since}. Nobody knows whether ${them}.`;
}

export function silenceMail(kind: SilenceKind, data: SilenceNoticeData, url: string): MailContent {
  const { monitors, total, remedies } = data;
  const more = total - monitors.length;
  const isOver = kind === 'monitors_report';
  return {
    title: silenceTitle(kind, data),
    paragraphs: [
      silenceSentence(kind, data),
      ...(isOver ? ['There is nothing that you have to do.'] : remedies),
      ...(isOver || remedies.length > 0
        ? []
        : [
            'Look at the regions of these monitors and their probes, or ask the operator of this installation.',
          ]),
    ],
    items:
      total === 1
        ? []
        : [...monitors.map(({ name }) => nameInMail(name)), ...(more > 0 ? [`and ${more} more`] : [])],
    button: { label: total === 1 ? 'Open the monitor' : 'Open the monitors', url },
  };
}
