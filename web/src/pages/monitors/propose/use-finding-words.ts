// Why a monitor is proposed: the probe's finding in one line.
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ProposedMonitor } from '#src/check-now/propose/contract.ts';
import { type Formats, useFormats } from '#web/format.ts';
import { useFailureSentence } from '#web/ui/failure-sentence.ts';

type Finding = ProposedMonitor['seen'];

export function useFindingWords(): (proposed: ProposedMonitor) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  const explain = useFailureSentence();
  return ({ monitor, seen }) =>
    seen.status === 'up' || seen.metric_value !== undefined
      ? wordsOf(monitor.type, seen, t, formats)
      : (explain(seen) ?? t('propose.seen.nothing'));
}

function wordsOf(type: string, seen: Finding, t: TFunction, formats: Formats): string {
  const time = seen.latency_ms === undefined ? '' : formats.milliseconds(seen.latency_ms);
  switch (type) {
    case 'http':
      return t('propose.seen.http', { code: seen.response_code, time });
    case 'tls':
    case 'domain': {
      const days = Math.floor(seen.metric_value ?? 0);
      return days < 0 ? t('propose.seen.over') : t(`propose.seen.${type}`, { count: days });
    }
    case 'dns':
      return seen.judgements.at(-1)?.actual || t('propose.seen.records');
    default:
      return t('propose.seen.answers', { time });
  }
}
