import { useTranslation } from 'react-i18next';
import type { Evidence, IncidentDetail } from '#src/incidents/contract.ts';
import { useFormats } from '#web/format.ts';
import { useCheckWords } from '#web/i18n/check-words.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { useCauseWords, useExpectationWords } from '../use-cause-words.ts';
import styles from './EvidenceSteps.module.css';
import { RegionTimelines } from './RegionTimelines.tsx';
import { type EvidenceStep, evidenceSteps } from './steps.ts';

/** Explains step by step why the incident opened, and what the policy required. */
export function EvidenceSteps({ evidence, incident }: { evidence: Evidence; incident: IncidentDetail }) {
  const { t, i18n } = useTranslation();
  const words = useCauseWords();
  const expected = useExpectationWords();
  const detailWords = useCheckWords('detail');
  const formats = useFormats();
  const isGroup = evidence.check_kind === 'group';

  function sentences(beat: EvidenceStep): string[] {
    switch (beat.kind) {
      case 'first':
      case 'also': {
        const said = t(`story.${beat.kind}`, { region: beat.region });
        return beat.detail === null ? [said] : [said, detailWords(beat.detail)];
      }
      case 'confirmed':
        if (isGroup) return [t('story.confirmedGroup')];
        return [
          t('story.confirmed', {
            count: evidence.expected_regions,
            failed: evidence.failed_regions,
            reporting: evidence.reporting_regions,
            times: t('story.ruleTimes', { count: evidence.consecutive_failures_observed }),
          }),
        ];
      case 'opened': {
        const key = `story.reason.${beat.reason}`;
        const reason = i18n.exists(key)
          ? t(key as 'story.reason.quorum_reached', {
              duration: formats.durationInWords(evidence.minimum_confirmed_outage_seconds),
            })
          : beat.reason;
        const delay = evidence.triggered_at_unix - evidence.first_failure_at_unix;
        const opened = t('story.opened', { delay: formats.durationInWords(delay) });
        // A single region has no others to agree with.
        return evidence.expected_regions <= 1 && beat.reason === 'quorum_reached'
          ? [opened]
          : [opened, reason];
      }
      case 'resolved':
        return [t(beat.byItself ? 'story.resolved' : 'story.closed')];
    }
  }

  return (
    <Panel title={t('story.title')}>
      <Rule evidence={evidence} />
      <RegionTimelines evidence={evidence} />
      <ol className={styles.story}>
        {evidenceSteps(evidence, incident).map((beat) => {
          const [said, ...more] = sentences(beat);
          return (
            <li
              key={`${beat.kind}${'region' in beat ? beat.region : ''}`}
              className={styles.beat}
              data-kind={beat.kind}
            >
              <time className={styles.time} dateTime={new Date(beat.atUnix * 1_000).toISOString()}>
                {formats.clock(beat.atUnix)}
              </time>
              <div>
                <p className={styles.said}>{said}</p>
                {more.map((line) => (
                  <p key={line} className={styles.more}>
                    {line}
                  </p>
                ))}
              </div>
            </li>
          );
        })}
      </ol>
      {evidence.findings.map((finding) => (
        <dl key={`${finding.failure_class}${finding.actual_summary}`} className={styles.finding}>
          <div>
            <dt>{t('story.expected')}</dt>
            <dd>{unbroken(expected(finding.expected_summary))}</dd>
          </div>
          <div>
            <dt>{t('story.actual')}</dt>
            <dd>{words(finding.actual_summary)}</dd>
          </div>
          <div>
            <dt>{t('story.seen')}</dt>
            <dd>
              {finding.regions.length === 0
                ? t('story.times', { count: finding.occurrence_count })
                : t('story.timesFrom', {
                    count: finding.occurrence_count,
                    regions: formats.list(finding.regions),
                  })}
            </dd>
          </div>
        </dl>
      ))}
    </Panel>
  );
}

/** The policy's conditions for an outage, in words. */
function Rule({ evidence }: { evidence: Evidence }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const seconds = evidence.minimum_confirmed_outage_seconds;
  const values = {
    times: t('story.ruleTimes', { count: evidence.consecutive_failures_required }),
    lasting: seconds === 0 ? '' : t('story.ruleLasting', { duration: formats.durationInWords(seconds) }),
  };
  return (
    <p className={styles.rule}>
      <span className={styles.ruleName}>{t('story.rule')}</span>
      {evidence.check_kind === 'group'
        ? t('story.ruleGroup', values)
        : evidence.expected_regions <= 1
          ? t('story.ruleOne', values)
          : t('story.ruleRegions', {
              ...values,
              count: evidence.required_regions,
              expected: evidence.expected_regions,
            })}
    </p>
  );
}

/** Keeps a number and its unit on one line: "8 s". */
const unbroken = (sentence: string) => sentence.replace(/(\d) (?=(ms|s|min|h|days?)\b)/g, '$1\u00a0');
