import { Button, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getAnnotations } from '#src/charts/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { getSeries, type Series } from '#src/series/contract.ts';
import { isFirstRead } from '#web/first-read.ts';
import { isRegionless } from '#web/pages/monitors/monitor-types.ts';
import { pollEvery } from '#web/pages/monitors/poll-every.ts';
import { metricName } from '#web/pages/monitors/types/agent/metric-words.ts';
import { read } from '#web/read.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { Figures } from '../Figures.tsx';
import { measuredMetric } from '../measured-metric.ts';
import { ResponseChart } from '../ResponseChart.tsx';
import { AnnotationList } from './AnnotationList.tsx';
import { annotationsOf } from './annotations.ts';
import styles from './ChartPanel.module.css';
import { NamedRanges, RangeTools } from './RangeTools.tsx';
import { WEEK_SECONDS, weekBefore } from './span.ts';
import { useChartSearch } from './use-chart-search.ts';

type Curve = 'responseTime' | 'availability' | 'runTime' | 'measured';

/** The chart's metric. Groups, and jobs that never report their start, have only up and down. */
function curveOf(monitor: Monitor, series: Series | undefined): Curve {
  if (!isRegionless(monitor.type)) return 'responseTime';
  const nothingMeasured = series?.points.every((point) => point.avg_ms === null) ?? monitor.type === 'group';
  if (nothingMeasured) return 'availability';
  return monitor.type === 'heartbeat' ? 'runTime' : 'measured';
}

/** The end of the current bucket: used in queries, so that they change once per bucket and not at each poll. */
const endOf = ({ to_unix, bucket_seconds: step }: Series) => Math.ceil(to_unix / step) * step;

/** Stands in while the series is unknown; the queries that use it are disabled until then. */
const NOT_YET = { from: WEEK_SECONDS, to: WEEK_SECONDS + 1 };

/** The chart of a monitor over any range, with annotations and figures; `onRead`: it has its height. */
export function ChartPanel({ monitor, onRead }: { monitor: Monitor; onRead: () => void }) {
  const { t } = useTranslation();
  const view = useChartSearch();
  const now = useNow();
  const [serviceMetric, setServiceMetric] = useState<'cpu' | 'mem'>('cpu');
  const { free, range, search } = view;
  const isService = monitor.type === 'service';
  const percentiles = search.lines === 'percentiles';
  const params = { monitor_id: monitor.id };
  const metric = isService ? { series_metric: serviceMetric } : {};
  const isCurrent = free === null || free.to >= now - 60;
  const series = useQuery({
    ...read(getSeries, {
      params,
      query: {
        ...(free === null ? { range } : { from_unix: free.from, to_unix: free.to }),
        ...(percentiles ? { percentiles } : {}),
        ...metric,
      },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: isCurrent ? Math.max(10_000, pollEvery(monitor)) : false,
  });
  const isFirst = isFirstRead(series);
  useEffect(() => {
    if (!isFirst) onRead();
  }, [isFirst, onRead]);
  const isKnown = series.data !== undefined;
  const span = series.data === undefined ? NOT_YET : { from: series.data.from_unix, to: endOf(series.data) };
  const compared = weekBefore(span);
  const before = useQuery({
    ...read(getSeries, {
      params,
      query: { from_unix: compared.from, to_unix: compared.to, percentiles: true, ...metric },
    }),
    enabled: isKnown && search.compare === 'week',
    placeholderData: keepPreviousData,
  });
  const annotated = useQuery({
    ...read(getAnnotations, { params, query: { from_unix: span.from, to_unix: span.to } }),
    enabled: isKnown,
    placeholderData: keepPreviousData,
  });
  // An open incident ends now, so it grows: drawing it anew once a minute is enough.
  const minute = Math.floor(now / 60) * 60;
  const annotations = useMemo(() => annotationsOf(annotated.data, minute), [annotated.data, minute]);

  const curve = curveOf(monitor, series.data);
  const measured = isService ? `${serviceMetric}_pct` : (measuredMetric(monitor)?.metric ?? null);
  const measuredTitle = measured === null ? t('monitor.measured') : metricName(t, measured);
  return (
    <Panel
      title={curve === 'measured' ? measuredTitle : t(`monitor.${curve}`)}
      aside={
        <div className={styles.ranges}>
          {isService && curve === 'measured' ? (
            <SegmentedControl
              size="xs"
              aria-label={t('monitor.measured')}
              value={serviceMetric}
              onChange={(value) => setServiceMetric(value as 'cpu' | 'mem')}
              data={(['cpu', 'mem'] as const).map((value) => ({
                value,
                label: metricName(t, `${value}_pct`),
              }))}
            />
          ) : null}
          <NamedRanges view={view} />
        </div>
      }
    >
      {series.isError ? <Failure error={series.error} retry={series.refetch} /> : null}
      {series.isPending ? <LoadingRows count={1} height={390} /> : null}
      {series.isSuccess ? (
        <>
          <Figures stats={series.data.stats} unit={series.data.unit} plain={curve === 'availability'} />
          <div className={styles.tools}>
            {curve === 'availability' ? <span /> : <LineTools monitor={monitor} view={view} />}
            <RangeTools view={view} />
          </div>
          {curve === 'availability' ? null : (
            <ResponseChart
              series={series.data}
              before={search.compare === 'week' ? before.data : undefined}
              monitor={monitor}
              annotations={annotations}
              view={view}
            />
          )}
          <AnnotationList annotations={annotations} complete={annotated.data?.complete ?? true} />
        </>
      ) : null}
    </Panel>
  );
}

function LineTools({ monitor, view }: { monitor: Monitor; view: ReturnType<typeof useChartSearch> }) {
  const { t } = useTranslation();
  const { search } = view;
  const isCompared = search.compare === 'week';
  return (
    <div className={styles.lines}>
      <SegmentedControl
        size="xs"
        aria-label={t('chart.view')}
        value={search.view ?? 'chart'}
        onChange={(value) => view.change({ view: value === 'table' ? 'table' : undefined })}
        data={(['chart', 'table'] as const).map((value) => ({ value, label: t(`chart.views.${value}`) }))}
      />
      <SegmentedControl
        size="xs"
        aria-label={t('chart.lines')}
        value={search.lines ?? 'regions'}
        onChange={(value) => view.change({ lines: value === 'percentiles' ? 'percentiles' : undefined })}
        data={[
          { value: 'regions', label: t(monitor.regions.length > 1 ? 'chart.regions' : 'chart.average') },
          { value: 'percentiles', label: t('chart.percentiles') },
        ]}
      />
      <Button
        size="compact-sm"
        variant="default"
        className={styles.compare}
        aria-pressed={isCompared}
        onClick={() => view.change({ compare: isCompared ? undefined : 'week' })}
      >
        {t('chart.compare')}
      </Button>
    </div>
  );
}
