import { useTranslation } from 'react-i18next';
import type { Series } from '#src/series/contract.ts';
import { useFormats } from '#web/format.ts';
import styles from './Figures.module.css';

/** The figures of the chosen range; `plain` for monitors that measure only up or down. */
export function Figures({ stats, unit, plain }: Pick<Series, 'stats' | 'unit'> & { plain: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const figure = (value: number | null, show: (value: number) => string) =>
    value === null ? '–' : show(value);
  const all = [
    {
      label: t('monitor.uptime'),
      value: figure(stats.uptime_time_pct, formats.percent),
      hint: t('monitor.uptimeHint'),
    },
    { label: t('monitor.average'), value: figure(stats.avg_ms, (value) => formats.measured(value, unit)) },
    {
      label: t('monitor.p95'),
      value: figure(stats.p95_ms, (value) => formats.measured(value, unit)),
      hint: t('monitor.p95Hint'),
    },
    {
      label: t('monitor.checksPassed'),
      value: figure(stats.uptime_pct, formats.percent),
      hint: t('monitor.checksPassedHint'),
    },
    { label: t('monitor.checks'), value: formats.integer(stats.checks) },
    {
      label: t('monitor.coverage'),
      value: figure(stats.coverage_pct, formats.percent),
      hint: t('monitor.coverageHint'),
    },
  ];
  const measured = [t('monitor.average'), t('monitor.p95'), t('monitor.coverage')];
  const figures = plain ? all.filter(({ label }) => !measured.includes(label)) : all;
  return (
    <dl className={styles.figures}>
      {figures.map(({ label, value, hint }) => (
        <div key={label} className={styles.figure} title={hint}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
