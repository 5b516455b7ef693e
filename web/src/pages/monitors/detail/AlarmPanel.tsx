import { useTranslation } from 'react-i18next';
import type { Monitor } from '../../../../../src/monitors/contract.ts';
import { useFormats } from '../../../format.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { httpConfigOf } from '../config-summary.ts';
import { alarmSentences } from '../form/alarm-words.ts';
import { expectationSummary } from '../form/fold-summaries.ts';
import { inheritedPolicy, policyInForm, sourceInForm } from '../form/policy-in-form.ts';
import { NEW_MONITOR, valuesOf } from '../form/values.ts';
import styles from './AlarmPanel.module.css';

/** What counts as up and when it alarms, in words. */
export function AlarmPanel({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const values = httpConfigOf(monitor) === null ? NEW_MONITOR : valuesOf(monitor);
  const policy = policyInForm(values.policy, inheritedPolicy(monitor.policy));
  const sentences = alarmSentences(t, formats, policy, monitor.regions.length, monitor.interval_seconds);
  return (
    <Panel title={t('alarm.title')}>
      <div className={styles.words}>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p className={styles.source}>{t(`alarm.source.${sourceInForm(values.policy, monitor.policy)}`)}</p>
        {httpConfigOf(monitor) === null ? null : (
          <p className={styles.source}>
            {t('form.expectation')}: {expectationSummary(t, formats, values)}
          </p>
        )}
      </div>
    </Panel>
  );
}
