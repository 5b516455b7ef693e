import { useTranslation } from 'react-i18next';
import type { Timings } from '#src/probe-protocol/contract.ts';
import { useFormats } from '#web/format.ts';
import styles from './PhasesPanel.module.css';

const MEASURED = ['dns', 'connect', 'tls', 'first_byte'] as const;

/** The timing of a check: a bar of its phases, and the numbers. */
export function Phases({ timings }: { timings: Timings }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const total = timings.total ?? 0;
  const phases = MEASURED.filter((phase) => timings[phase] !== undefined).map((phase) => ({
    phase: phase as (typeof MEASURED)[number] | 'rest',
    ms: timings[phase] ?? 0,
  }));
  const rest = total - phases.reduce((sum, phase) => sum + phase.ms, 0);
  if (rest > 0 && phases.length > 0) phases.push({ phase: 'rest', ms: rest });
  // After the first byte comes the content; without a first byte, any remaining work.
  const restWords = timings.first_byte === undefined ? 'phases.other' : 'phases.rest';
  return (
    <>
      <div className={styles.bar} aria-hidden="true" hidden={phases.length === 0}>
        {phases.map(({ phase, ms }) => (
          <i key={phase} data-phase={phase} style={{ flexGrow: ms }} />
        ))}
      </div>
      <dl className={styles.list}>
        {phases.map(({ phase, ms }) => (
          <div key={phase} className={styles.phase}>
            <dt>
              <i data-phase={phase} aria-hidden="true" />
              {t(phase === 'rest' ? restWords : `phases.${phase}`)}
            </dt>
            <dd>{formats.milliseconds(ms)}</dd>
          </div>
        ))}
        <div className={`${styles.phase} ${styles.total}`}>
          <dt>{t('phases.total')}</dt>
          <dd>{formats.milliseconds(total)}</dd>
        </div>
      </dl>
    </>
  );
}
