import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Series } from '#src/series/contract.ts';
import { useFormats } from '#web/format.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { isRegionless } from '../monitor-types.ts';
import { chartData } from './chart-data.ts';
import { LineChart } from './LineChart.tsx';
import { levelsOf } from './levels.ts';

/** What a monitor measured over time, one line per region, failures marked along the bottom. */
export function ResponseChart({ series, monitor }: { series: Series; monitor: Monitor }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const data = useMemo(() => chartData(series, monitor.interval_seconds), [series, monitor.interval_seconds]);
  const failures = data.down.reduce((sum, count) => sum + count, 0);
  const summary = t(isRegionless(monitor.type) ? 'monitor.measuredSummary' : 'monitor.chartSummary', {
    average: series.stats.avg_ms === null ? '–' : formats.measured(series.stats.avg_ms, series.unit),
    p95: series.stats.p95_ms === null ? '–' : formats.measured(series.stats.p95_ms, series.unit),
    failures: formats.integer(failures),
  });
  if (series.points.length === 0)
    return (
      <Empty
        title={t('monitor.noPoints')}
        text={t(monitor.enabled ? 'monitor.noPointsText' : 'monitor.pausedText')}
      />
    );
  return (
    <LineChart
      data={data}
      unit={series.unit}
      bucketSeconds={series.bucket_seconds}
      summary={summary}
      levels={levelsOf(monitor, series.unit)}
    />
  );
}
