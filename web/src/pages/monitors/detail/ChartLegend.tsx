import { useTranslation } from 'react-i18next';
import type { SeriesUnit } from '#src/domain/names.ts';
import { useFormats } from '#web/format.ts';
import styles from './ChartLegend.module.css';
import type { ChartData } from './chart-data.ts';
import { DASHES } from './chart-options.ts';

type Props = { data: ChartData; unit: SeriesUnit; at: number | null; bucketSeconds: number };

/** Which line is which region; under the crosshair also what it measured there. Its height never changes. */
export function ChartLegend({ data, unit, at, bucketSeconds }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const instant = at === null ? undefined : data.xs[at];
  return (
    <div className={styles.legend}>
      <span className={styles.instant}>
        {instant === undefined
          ? t('monitor.perBucket', { duration: formats.duration(bucketSeconds) })
          : `${formats.day(instant)}, ${formats.clock(instant).slice(0, 5)}`}
      </span>
      {data.regions.map((region, n) => {
        const bucket = at === null ? undefined : data.buckets[n]?.[at];
        return (
          <span key={region} className={styles.entry}>
            {region === '' ? null : (
              <svg width="22" height="8" aria-hidden="true">
                <line
                  x1="0"
                  x2="22"
                  y1="4"
                  y2="4"
                  stroke={`var(--series-${(n % 6) + 1})`}
                  strokeWidth="2"
                  strokeDasharray={DASHES[n % DASHES.length]?.join(' ')}
                />
              </svg>
            )}
            {region === '' ? null : <span>{region}</span>}
            {bucket === undefined ? null : (
              <span className={styles.values}>
                {bucket.avg === null ? '–' : formats.measured(bucket.avg, unit)}
                {bucket.max === null ? null : (
                  <span className={styles.max}> ≤ {formats.measured(bucket.max, unit)}</span>
                )}
                {bucket.down > 0 ? (
                  <span className={styles.down}>
                    {' '}
                    {t('monitor.failedOf', {
                      failed: bucket.down,
                      total: bucket.up + bucket.down + bucket.degraded,
                    })}
                  </span>
                ) : null}
              </span>
            )}
          </span>
        );
      })}
      {data.down.some((count) => count > 0) && at === null ? (
        <span className={styles.entry}>
          <i className={styles.mark} />
          {t('monitor.failureMark')}
        </span>
      ) : null}
    </div>
  );
}
