// Pure: the words for an alarm, in mails and in push messages, in English and German.
import { causeIn, stormNameIn } from '#src/domain/cause-words.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { utcMinute } from '#src/domain/utc.ts';
import { nameInMail } from '#src/platform/mail/layout.ts';
import { filled } from '#src/platform/page-language.ts';
import type { AlarmNoticeData, CommanderNoticeData, NoticeKind } from '../data.ts';

export type AlarmKind = Extract<NoticeKind, `alarm${string}`>;

const en = {
  heads: {
    alarm: 'Alarm',
    alarm_escalated: 'Escalated',
    alarm_reminder: 'Still open',
    alarm_commander: 'Yours and still open',
    alarm_acknowledged: 'Acknowledged',
    alarm_resolved: 'Resolved',
  } satisfies Record<AlarmKind, string>,
  incident: 'an incident',
  titleShared: '{head}: {shared}, {count} incidents',
  titleMany: '{head}: {count} incidents, {name} among them',
  acknowledged: {
    one: 'The incident was acknowledged.',
    oneBy: 'The incident was acknowledged by {by}.',
    many: 'The incidents of this alarm were acknowledged.',
    manyBy: 'The incidents of this alarm were acknowledged by {by}.',
  },
  resolved: {
    one: 'The incident was resolved.',
    oneBy: 'The incident was resolved by {by}.',
    many: 'The incidents of this alarm were resolved.',
    manyBy: 'The incidents of this alarm were resolved by {by}.',
  },
  untaken: 'Nobody has acknowledged it yet.',
  first: 'First of them: {line}',
  more: 'and {count} more',
  noCause: 'no cause given',
  line: '{what} (since {time})',
  nothingToDo: 'You do not need to do anything.',
  quiet:
    'Incidents of this storm that are still open, but wake nobody at the moment: {count}. You will be notified when none is open any more.',
  tookMany:
    'You took them, the first on {when}, and they are still open. Resolve each when it is over. Until then you are reminded of all of them together, once a day.',
  tookOne:
    'You took it on {when}, and it is still open. Resolve it when it is over. Until then you are reminded once a day.',
  why: {
    reminder:
      'Nobody has acknowledged it so far: this is reminder {no} of {most}. Whoever takes it acknowledges it; that stops the alarm for everybody.',
    stage1: 'Nobody has acknowledged it yet, so the alarm was escalated to you.',
    stage2:
      'Nobody has acknowledged it yet, so the alarm was escalated to everyone on call and to the admins.',
    other:
      'Nobody has acknowledged it yet. Acknowledge it if you take it; that stops the alarm for everybody.',
  },
  acknowledge: 'Acknowledge',
  openOne: 'Open the incident',
  openMany: 'Open the incidents',
  once: 'The button works once, within 24 hours, in your name. Do not forward this mail.',
  whyCommander: 'You get this mail because you are the commander of an open incident of {name}.',
  whyChain: 'You get this mail because the alarm chain of {name} has reached you.',
  whyAdmin: 'You get this mail because you administer {name}.',
};

const de: typeof en = {
  heads: {
    alarm: 'Alarm',
    alarm_escalated: 'Eskaliert',
    alarm_reminder: 'Noch offen',
    alarm_commander: 'Von Ihnen übernommen und noch offen',
    alarm_acknowledged: 'Übernommen',
    alarm_resolved: 'Beendet',
  },
  incident: 'eine Störung',
  titleShared: '{head}: {shared}, {count} Störungen',
  titleMany: '{head}: {count} Störungen, darunter {name}',
  acknowledged: {
    one: 'Die Störung wurde übernommen.',
    oneBy: 'Die Störung wurde von {by} übernommen.',
    many: 'Die Störungen dieses Alarms wurden übernommen.',
    manyBy: 'Die Störungen dieses Alarms wurden von {by} übernommen.',
  },
  resolved: {
    one: 'Die Störung ist beendet.',
    oneBy: 'Die Störung wurde von {by} beendet.',
    many: 'Die Störungen dieses Alarms sind beendet.',
    manyBy: 'Die Störungen dieses Alarms wurden von {by} beendet.',
  },
  untaken: 'Noch hat niemand den Alarm übernommen.',
  first: 'Die erste davon: {line}',
  more: 'und {count} weitere',
  noCause: 'ohne Angabe einer Ursache',
  line: '{what} (seit {time})',
  nothingToDo: 'Sie müssen nichts tun.',
  quiet:
    'Störungen dieses Alarmsturms, die noch offen sind, aber derzeit niemanden wecken: {count}. Sie werden benachrichtigt, wenn keine mehr offen ist.',
  tookMany:
    'Sie haben sie übernommen, die erste am {when}, und sie sind noch offen. Beenden Sie jede, sobald sie vorbei ist. Bis dahin werden Sie einmal am Tag an alle zusammen erinnert.',
  tookOne:
    'Sie haben sie am {when} übernommen, und sie ist noch offen. Beenden Sie sie, sobald sie vorbei ist. Bis dahin werden Sie einmal am Tag erinnert.',
  why: {
    reminder:
      'Bisher hat niemand den Alarm übernommen: Das ist Erinnerung {no} von {most}. Sobald jemand ihn übernimmt, endet er für alle.',
    stage1: 'Noch hat niemand den Alarm übernommen, deshalb wurde er an Sie eskaliert.',
    stage2:
      'Noch hat niemand den Alarm übernommen, deshalb wurde er an die ganze Bereitschaft und die Admins eskaliert.',
    other:
      'Noch hat niemand den Alarm übernommen. Übernehmen Sie ihn, wenn Sie sich darum kümmern; damit endet er für alle.',
  },
  acknowledge: 'Übernehmen',
  openOne: 'Störung öffnen',
  openMany: 'Störungen öffnen',
  once: 'Der Knopf wirkt einmal, innerhalb von 24 Stunden, in Ihrem Namen. Leiten Sie diese Mail nicht weiter.',
  whyCommander: 'Sie erhalten diese Mail, weil Sie eine offene Störung von {name} übernommen haben.',
  whyChain: 'Sie erhalten diese Mail, weil die Alarmkette von {name} Sie erreicht hat.',
  whyAdmin: 'Sie erhalten diese Mail, weil Sie {name} verwalten.',
};

export const ALARM_WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };

/** How many incidents are listed; the others are only counted. */
const MAX_LISTED = 20;
const MAX_CAUSE = 200;

/** The number of incidents: never fewer than are listed. */
export const countOf = ({ incidents, total }: AlarmNoticeData) => Math.max(total, incidents.length);

/** `Alarm: Shop`, `Alarm: db.example.com, 23 incidents` or `Alarm: 23 incidents, Shop among them`. */
export function alarmTitle(kind: AlarmKind, data: AlarmNoticeData, language: PageLanguage): string {
  const words = ALARM_WORDS[language];
  const head = words.heads[kind];
  const count = countOf(data);
  const [first] = data.incidents;
  const name = first ? nameOf(first, 80, language) : words.incident;
  if (count <= 1) return `${head}: ${name}`;
  const shared = nameInMail(stormNameIn(data.storm_name ?? '', language), 80);
  return shared
    ? filled(words.titleShared, { head, shared, count })
    : filled(words.titleMany, { head, count, name });
}

/** One sentence: the cause of a single incident, or the person who acknowledged or resolved it. */
export function alarmSentence(kind: AlarmKind, data: AlarmNoticeData, language: PageLanguage): string {
  const words = ALARM_WORDS[language];
  const isMany = countOf(data) > 1;
  if (kind === 'alarm_acknowledged' || kind === 'alarm_resolved') {
    const forms = kind === 'alarm_acknowledged' ? words.acknowledged : words.resolved;
    const by = data.by_name === undefined ? '' : nameInMail(data.by_name);
    if (by === '') return isMany ? forms.many : forms.one;
    return filled(isMany ? forms.manyBy : forms.oneBy, { by });
  }
  const [first] = data.incidents;
  if (!first) return words.untaken;
  return isMany ? filled(words.first, { line: lineOf(first, language) }) : sentence(causeOf(first, language));
}

/** One line for each of the first 20 incidents, then the number of the others. */
export function alarmLines(data: AlarmNoticeData, language: PageLanguage): string[] {
  const shown = data.incidents.slice(0, MAX_LISTED).map((incident) => lineOf(incident, language));
  const count = countOf(data) - shown.length;
  return count > 0 ? [...shown, filled(ALARM_WORDS[language].more, { count })] : shown;
}

/** The next step for the person who acknowledged them. */
export function commanderDuties(data: CommanderNoticeData, language: PageLanguage): string {
  const { tookMany, tookOne } = ALARM_WORDS[language];
  return filled(countOf(data) > 1 ? tookMany : tookOne, { when: utc(data.acknowledged_at_unix) });
}

type Incident = AlarmNoticeData['incidents'][number];

/** A standalone incident has no monitor: its cause is its name. */
function nameOf({ monitor_name, cause }: Incident, most: number, language: PageLanguage): string {
  return (
    nameInMail(monitor_name, most) ||
    nameInMail(causeIn(cause, language), most) ||
    ALARM_WORDS[language].incident
  );
}

const causeOf = ({ cause }: Incident, language: PageLanguage): string =>
  nameInMail(causeIn(cause, language), MAX_CAUSE) || ALARM_WORDS[language].noCause;

function lineOf(incident: Incident, language: PageLanguage): string {
  const name = nameOf(incident, 80, language);
  const cause = causeOf(incident, language);
  // Both are the cause then, cut at different lengths.
  const isUnnamed = nameInMail(incident.monitor_name) === '';
  const what = isUnnamed || name === cause ? cause : `${name}: ${cause}`;
  return filled(ALARM_WORDS[language].line, { what, time: utc(incident.started_at_unix) });
}

const sentence = (text: string) => (/[.!?…]\u2069?$/.test(text) ? text : `${text}.`);

/** `2026-11-21 23:06 UTC`: no person's time zone is stored. */
export function utc(unixSeconds: number): string {
  return utcMinute(unixSeconds * 1000);
}
