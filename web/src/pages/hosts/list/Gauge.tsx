import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { usageLevelOf } from '../host-state.ts';
import styles from './Gauge.module.css';
import { Sparkline } from './Sparkline.tsx';

type Props = {
  label: string;
  percent: number | null;
  /** The value is out of date. */
  old: boolean;
  /** The last hours, oldest first; without them a bar shows the current value. */
  curve?: readonly (number | null)[] | undefined;
  /** The mount that the percentage belongs to, where that is not obvious. */
  of?: string | undefined;
};

/** A percentage that must not reach 100: the value in words, and small as a curve or a bar. */
export function Gauge({ label, percent, old, curve, of }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const level = old ? 'normal' : usageLevelOf(percent);
  return (
    <span className={styles.gauge} data-level={level} data-old={old || undefined}>
      <span className={styles.words}>
        <span className={styles.label}>{label}</span>
        <span className={styles.value}>
          {percent === null ? '–' : formats.measured(Math.round(percent), 'pct')}
          {level === 'normal' ? null : (
            <span className="visually-hidden"> {t(`hosts.usageLevel.${level}`)}</span>
          )}
        </span>
        {of === undefined ? null : (
          <span className={styles.of} title={of}>
            {of}
          </span>
        )}
      </span>
      {curve === undefined ? <Bar percent={percent} /> : <Sparkline values={curve} />}
    </span>
  );
}

function Bar({ percent }: { percent: number | null }) {
  return (
    <svg className={styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className={styles.track} width="100" height="6" />
      <rect className={styles.fill} width={Math.max(0, Math.min(100, percent ?? 0))} height="6" />
    </svg>
  );
}
