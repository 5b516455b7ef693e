// Pure: the words for an alarm, in mails and in push messages. They are English: the language of a person is not stored.
import { utcMinute } from '#src/domain/utc.ts';
import { nameInMail } from '#src/platform/mail/layout.ts';
import type { AlarmNoticeData, NoticeKind } from '../data.ts';

export type AlarmKind = Extract<NoticeKind, `alarm${string}`>;

/** How many incidents are listed; the others are only counted. */
const MOST_LISTED = 20;
const MOST_CAUSE = 200;

const HEADS: Record<AlarmKind, string> = {
  alarm: 'Alarm',
  alarm_escalated: 'Escalated',
  alarm_reminder: 'Still open',
  alarm_commander: 'Yours and still open',
  alarm_acknowledged: 'Acknowledged',
  alarm_resolved: 'Resolved',
};

/** The number of incidents: never fewer than are listed. */
export const countOf = ({ incidents, total }: AlarmNoticeData) => Math.max(total, incidents.length);

/** `Alarm: Shop`, `Alarm: db.example.com, 23 incidents` or `Alarm: 23 incidents, Shop among them`. */
export function alarmTitle(kind: AlarmKind, data: AlarmNoticeData): string {
  const count = countOf(data);
  const [first] = data.incidents;
  const what = first ? nameOf(first, 80) : 'an incident';
  if (count <= 1) return `${HEADS[kind]}: ${what}`;
  const shared = nameInMail(data.storm_name ?? '', 80);
  return shared
    ? `${HEADS[kind]}: ${shared}, ${count} incidents`
    : `${HEADS[kind]}: ${count} incidents, ${what} among them`;
}

/** One sentence: the cause of a single incident, or the person who acknowledged or resolved it. */
export function alarmSentence(kind: AlarmKind, data: AlarmNoticeData): string {
  const by = data.by_name === undefined ? null : nameInMail(data.by_name);
  const what = countOf(data) > 1 ? 'The incidents of this alarm' : 'The incident';
  const verb = countOf(data) > 1 ? 'were' : 'was';
  if (kind === 'alarm_acknowledged') return `${what} ${verb} acknowledged${by ? ` by ${by}` : ''}.`;
  if (kind === 'alarm_resolved') return `${what} ${verb} resolved${by ? ` by ${by}` : ''}.`;
  const [first] = data.incidents;
  if (!first) return 'Nobody has acknowledged it yet.';
  return countOf(data) > 1 ? `First of them: ${lineOf(first)}` : sentence(causeOf(first));
}

/** One line for each of the first 20 incidents, then the number of the others. */
export function alarmLines(data: AlarmNoticeData): string[] {
  const shown = data.incidents.slice(0, MOST_LISTED).map(lineOf);
  const more = countOf(data) - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

type Incident = AlarmNoticeData['incidents'][number];

/** A standalone incident has no monitor: its cause is its name. */
function nameOf({ monitor_name, cause }: Incident, most: number): string {
  return nameInMail(monitor_name, most) || nameInMail(cause, most) || 'an incident';
}

export const causeOf = ({ cause }: Incident): string => nameInMail(cause, MOST_CAUSE) || 'no cause given';

function lineOf(incident: Incident): string {
  const name = nameOf(incident, 80);
  const cause = causeOf(incident);
  return `${name === cause ? name : `${name}: ${cause}`} (since ${utc(incident.started_at_unix)})`;
}

const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** `2026-11-21 23:06 UTC`: no person's time zone is stored. */
export function utc(unixSeconds: number): string {
  return utcMinute(unixSeconds * 1000);
}
