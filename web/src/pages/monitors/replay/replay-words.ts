// A replay in one or two sentences: how many alarms, and which others would come at another time.
import type { TFunction } from 'i18next';
import type { PolicyReplay } from '#src/policy-replay/contract.ts';
import type { Formats } from '#web/format.ts';

const MAX_DAYS = 30;
const DAY = 86_400;

/** The number of alarms, beside the actual number. `isChanged`: the settings are not the saved ones. */
export function countSentence(
  t: TFunction,
  formats: Formats,
  replay: PolicyReplay,
  isChanged: boolean,
): string {
  const { now, draft, differences } = replay;
  const period = periodOf(t, formats, replay);
  const count = draft.alarm_count;
  if (!isChanged) return ended(t('replay.inForce', { count, period }));
  const isSame = differences.unchanged === now.alarm_count && differences.unchanged === count;
  if (isSame) return ended(t('replay.same', { count, period }));
  return ended(
    t(`replay.${comparison(replay)}`, { count, before: formats.integer(now.alarm_count), period }),
  );
}

/** The sentence that fits both numbers: "instead of" needs two that differ, and a zero beside it no "instead". */
function comparison({ now, draft, differences }: PolicyReplay) {
  if (now.alarm_count === draft.alarm_count)
    return differences.only_now + differences.only_draft === 0 ? 'moved' : 'others';
  if (now.alarm_count === 0) return 'insteadOfNone';
  return now.alarm_count === 1 ? 'insteadOfOne' : 'instead';
}

/** A German day ends in the dot of its month, which is then also that of the sentence: "seit 19. Nov." */
const ended = (sentence: string): string => sentence.replace(/\.\.$/, '.');

/** "in the last 30 days", or since the first check in the replay. */
function periodOf(
  t: TFunction,
  formats: Formats,
  { from_unix, until_unix, complete }: Pick<PolicyReplay, 'from_unix' | 'until_unix' | 'complete'>,
): string {
  if (until_unix - from_unix > (MAX_DAYS - 1) * DAY && complete) return t('replay.lastDays');
  return t('replay.since', { day: formats.day(from_unix) });
}

/** The alarms of the same outages that would come later, or earlier. */
export function timeSentences(t: TFunction, formats: Formats, replay: PolicyReplay): string[] {
  const { differences, outages } = replay;
  const moved = (sign: 1 | -1) =>
    outages.filter(({ later_seconds }) => Math.sign(later_seconds ?? 0) === sign);
  return (['later', 'earlier'] as const).flatMap((key) => {
    const count = differences[key];
    const own = moved(key === 'later' ? 1 : -1);
    const [first] = own;
    if (count === 0 || first === undefined) return [];
    const seconds = Math.max(...own.map(({ later_seconds }) => Math.abs(later_seconds ?? 0)));
    const moment = formats.minute(first.now?.started_at_unix ?? 0);
    return [t(`replay.${key}`, { count, moment, duration: formats.durationInWords(seconds) })];
  });
}
