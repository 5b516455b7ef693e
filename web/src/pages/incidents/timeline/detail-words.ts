// Translates the system's details in the timeline; texts of people stay as they are. The sentences come from src/incidents
// and src/on-call; an unknown one is shown unchanged.
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ALARM_GATE_ORIGINS, CHANNEL_PROBLEMS } from '#src/domain/names.ts';
import type { TimelineEntry } from '#src/incidents/contract.ts';
import { type Formats, useFormats } from '#web/format.ts';
import { useSummaryWords } from '../use-cause-words.ts';

const SENTENCES = {
  'resolved by hand': 'byHand',
  recovered: 'recovered',
  'the monitor was disabled': 'disabled',
  'the monitor was deleted': 'deleted',
  'ended by hand': 'endedByHand',
  'the loud alarm rings': 'rings',
  'the loud alarm rings again': 'ringsAgain',
  'the loud alarm rings: nobody is on duty': 'ringsNobodyOnDuty',
  'the loud alarm rings: on-call is off': 'ringsOnCallOff',
  'the loud alarm rings: those whom it had reached have left': 'ringsReachedLeft',
  'the loud alarm of the incidents that opened together rings': 'ringsTogether',
  'the alarm is quiet: maintenance': 'maintenance',
  'stage 1': 'stage1',
  'stage 2': 'stage2',
  'stage 1: nobody else is on the roster, the administrators are told': 'stage1Fallback',
  'stage 1: it rings for everybody already': 'stage1Already',
  'stage 2: it rings for everybody already': 'stage2Already',
  'by e-mail': 'byMail',
  'by web push': 'byPush',
} as const;

/** Kinds whose detail is a name, or written by people. */
const WRITTEN = ['opened', 'note', 'discarded', 'restored', 'linked', 'unlinked', 'postmortem_published'];

/** Returns a function that describes the detail of an entry; null if it has none. */
export function useDetailWords(): (entry: TimelineEntry) => string | null {
  const { t } = useTranslation();
  const formats = useFormats();
  const summaryWords = useSummaryWords();
  return (entry) => {
    const words = detailWords(entry, t, formats);
    return entry.kind === 'opened' && words !== null ? summaryWords(words) : words;
  };
}

type Detailed = Pick<TimelineEntry, 'kind' | 'detail'>;

export function detailWords(
  { kind, detail }: Detailed,
  t: TFunction,
  formats: Pick<Formats, 'durationInWords'>,
): string | null {
  if (detail === null || detail === '') return null;
  if (WRITTEN.includes(kind)) return detail;
  if (isSentence(detail)) return t(`timelineDetail.${SENTENCES[detail]}`);
  const seconds = /^the alarm is held by hand for (\d+) s$/.exec(detail)?.[1];
  if (seconds !== undefined)
    return t('timelineDetail.heldFor', { duration: formats.durationInWords(Number(seconds)) });
  const [, reminder, of] = /^reminder (\d+) of (\d+)$/.exec(detail) ?? [];
  if (reminder !== undefined) return t('timelineDetail.reminder', { number: reminder, of });
  const [, way, why] = /^(by e-mail|by web push): (.+)$/.exec(detail) ?? [];
  if (way !== undefined && why !== undefined && isSentence(way))
    return `${t(`timelineDetail.${SENTENCES[way]}`)}: ${obstacleWords(why, t)}`;
  const announced = /^the alarm is held: (\w+)$/.exec(detail)?.[1];
  const origin = ALARM_GATE_ORIGINS.find((each) => each === announced);
  return origin === undefined ? detail : t(`gate.origin.${origin}`);
}

const isSentence = (detail: string): detail is keyof typeof SENTENCES => Object.hasOwn(SENTENCES, detail);

/** Classes without words, such as `smtp_timeout`, are for whoever runs the mail server. */
function obstacleWords(why: string, t: TFunction): string {
  const problem = CHANNEL_PROBLEMS.find((each) => each === why);
  return problem === undefined ? why.replaceAll('_', ' ') : t(`alarmPlan.channelProblem.${problem}`);
}
