// The sentences about a fire drill. The payload of an event has the English one, which every webhook gets; a chat in another
// language gets the same sentence translated.
import type { DrillOutcome, PageLanguage } from '../domain/names.ts';
import { filled } from '../platform/page-language.ts';

const en = {
  open: 'This is a drill: nothing is down. It follows the path of a real alarm.',
  openBy: 'This is a drill: nothing is down. {by} started it. It follows the path of a real alarm.',
  closed: {
    acknowledged: 'The fire drill was acknowledged. You do not need to do anything.',
    stopped: 'The fire drill was stopped. You do not need to do anything.',
    unanswered: 'Nobody acknowledged the fire drill.',
    real_alarm: 'The fire drill was cancelled because a REAL alarm has begun.',
  } satisfies Record<DrillOutcome, string>,
};

const de: typeof en = {
  open: 'Das ist ein Probealarm: Nichts ist ausgefallen. Er nimmt den Weg eines echten Alarms.',
  openBy:
    'Das ist ein Probealarm: Nichts ist ausgefallen. {by} hat ihn ausgelöst. Er nimmt den Weg eines echten Alarms.',
  closed: {
    acknowledged: 'Der Probealarm wurde übernommen. Sie müssen nichts tun.',
    stopped: 'Der Probealarm wurde beendet. Sie müssen nichts tun.',
    unanswered: 'Niemand hat den Probealarm übernommen.',
    real_alarm: 'Der Probealarm wurde abgebrochen, weil ein ECHTER Alarm begonnen hat.',
  },
};

const WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };

/** The sentence at the start of a drill; `by` is '' if nobody known started it. */
export const openDrillText = (by: string): string => (by === '' ? en.open : filled(en.openBy, { by }));

/** The sentence at the end of a drill. */
export const closedDrillText = (outcome: DrillOutcome): string => en.closed[outcome];

/** The sentence of a payload in the language of the reader; any other sentence stays as it is. */
export function drillTextIn(text: string, language: PageLanguage): string {
  const words = WORDS[language];
  if (text === en.open) return words.open;
  const outcome = (Object.keys(en.closed) as DrillOutcome[]).find((each) => en.closed[each] === text);
  if (outcome !== undefined) return words.closed[outcome];
  const [before = '', after = ''] = en.openBy.split('{by}');
  return text.startsWith(before) && text.endsWith(after)
    ? filled(words.openBy, { by: text.slice(before.length, text.length - after.length) })
    : text;
}
