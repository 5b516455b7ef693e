import { useTranslation } from 'react-i18next';
import type { SeriesUnit } from '#src/domain/names.ts';
import { useFormats } from '#web/format.ts';
import styles from './ChartLegend.module.css';
import { countsAt } from './chart/lines.ts';
import type { ChartData } from './chart-data.ts';
import { COMPARED_DASH, DASHES } from './chart-options.ts';

type Props = {
  data: ChartData;
  unit: SeriesUnit;
  at: number | null;
  bucketSeconds: number;
  /** The lines are percentiles. */
  isFan: boolean;
  areFailuresDrawn: boolean;
};

/** The lines by name; under the crosshair also their values, and any event there. Its height never changes. */
export function ChartLegend({ data, unit, at, bucketSeconds, isFan, areFailuresDrawn }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const instant = at === null ? undefined : data.xs[at];
  const counts = at === null ? null : countsAt(data, at);
  const before = at === null ? null : data.compared?.[at];
  return (
    <div className={styles.legend}>
      <span className={styles.instant}>
        {instant === undefined
          ? t(isFan ? 'chart.perBucket' : 'monitor.perBucket', { duration: formats.duration(bucketSeconds) })
          : `${formats.day(instant)}, ${clock(formats.clock(instant), bucketSeconds)}`}
      </span>
      {data.regions.map((region, n) => {
        const bucket = at === null ? undefined : data.buckets[n]?.[at];
        return (
          <span key={region} className={styles.entry}>
            {region === '' ? null : (
              <Stroke colour={`var(--series-${(n % 6) + 1})`} dash={DASHES[n % DASHES.length] ?? []} />
            )}
            {region === '' ? null : <span>{region}</span>}
            {bucket === undefined ? null : (
              <span className={styles.values}>
                {bucket.avg === null ? '–' : formats.measured(bucket.avg, unit)}
                {bucket.max === null ? null : (
                  <span className={styles.max}> ≤ {formats.measured(bucket.max, unit)}</span>
                )}
              </span>
            )}
          </span>
        );
      })}
      {data.compared === undefined ? null : (
        <span className={styles.entry}>
          <Stroke colour="var(--ink-3)" dash={COMPARED_DASH} />
          <span>{t('chart.weekBefore')}</span>
          {before == null ? null : <span className={styles.values}>{formats.measured(before, unit)}</span>}
        </span>
      )}
      {counts !== null && counts.down > 0 ? (
        <span className={styles.down}>
          {t('monitor.failedOf', { failed: counts.down, total: counts.up + counts.down + counts.degraded })}
        </span>
      ) : null}
      {areFailuresDrawn && at === null && data.down.some((count) => count > 0) ? (
        <span className={styles.entry}>
          <i className={styles.failure} />
          {t('chart.failureMark')}
        </span>
      ) : null}
    </div>
  );
}

const clock = (time: string, bucketSeconds: number) => (bucketSeconds < 60 ? time : time.slice(0, 5));

function Stroke({ colour, dash }: { colour: string; dash: readonly number[] }) {
  return (
    <svg width="22" height="8" aria-hidden="true">
      <line
        x1="0"
        x2="22"
        y1="4"
        y2="4"
        stroke={colour}
        strokeWidth="2"
        strokeDasharray={dash.join(' ') || undefined}
      />
    </svg>
  );
}
