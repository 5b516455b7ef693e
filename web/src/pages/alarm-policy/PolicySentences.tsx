import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EffectivePolicy } from '#src/domain/policy.ts';
import { useFormats } from '#web/format.ts';
import { alarmSentences } from '../monitors/form/alarm-words.ts';
import styles from './PolicySentences.module.css';

/** Few enough to picture, enough for a quorum to matter. */
const USUAL_REGIONS = 3;
const USUAL_INTERVAL_SECONDS = 60;

type Props = {
  policy: EffectivePolicy;
  /** The minimum number of regions. */
  least?: number;
  /** Only how an incident opens, not how it resolves. */
  openingOnly?: boolean;
  /** Sentences shown before those of the example. */
  children?: ReactNode;
  live?: boolean;
};

/** Describes a policy in sentences, with a monitor of a few regions as the example. */
export function PolicySentences({ policy, least = 1, openingOnly = false, children, live = false }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const counted = policy.alarm_quorum_mode === 'count' ? (policy.alarm_quorum_value ?? 1) : 1;
  const regions = Math.max(USUAL_REGIONS, least, counted);
  const said = alarmSentences(t, formats, policy, regions, USUAL_INTERVAL_SECONDS);
  return (
    <div className={styles.words} aria-live={live ? 'polite' : undefined}>
      {children}
      <p className={styles.example}>{t('alarmPolicy.example', { count: regions })}</p>
      {(openingOnly ? said.slice(0, 1) : said).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}
