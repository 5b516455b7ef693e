import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Series } from '#src/series/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { isRegionless } from '../monitor-types.ts';
import type { Annotation } from './chart/annotations.ts';
import { ChartTable } from './chart/ChartTable.tsx';
import { linesOf } from './chart/lines.ts';
import { moved, within, zoomed } from './chart/span.ts';
import { TRACKS_HEIGHT, Tracks } from './chart/Tracks.tsx';
import type { ChartView } from './chart/use-chart-search.ts';
import { LineChart } from './LineChart.tsx';
import { levelsOf } from './levels.ts';
import styles from './ResponseChart.module.css';

type Props = {
  series: Series;
  /** The week before; undefined: no comparison. */
  before: Series | undefined;
  monitor: Monitor;
  annotations: readonly Annotation[];
  view: ChartView;
};

/** A monitor's measurements over time, as lines or as a table, with events. */
export function ResponseChart({ series, before, monitor, annotations, view }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const open = useOpen();
  // Only once loaded: the previous data may be of the other kind.
  const percentiles = view.search.lines === 'percentiles' && series.percentiles !== undefined;
  const data = useMemo(
    () => linesOf(series, monitor.interval_seconds, { percentiles, before }),
    [series, before, monitor.interval_seconds, percentiles],
  );
  if (series.points.length === 0)
    return (
      <Empty
        title={t('monitor.noPoints')}
        text={t(
          view.free !== null
            ? 'chart.nothingThen'
            : monitor.enabled
              ? 'monitor.noPointsText'
              : 'monitor.pausedText',
        )}
      />
    );
  const summary = t(isRegionless(monitor.type) ? 'monitor.measuredSummary' : 'monitor.chartSummary', {
    average: series.stats.avg_ms === null ? '–' : formats.measured(series.stats.avg_ms, series.unit),
    p95: series.stats.p95_ms === null ? '–' : formats.measured(series.stats.p95_ms, series.unit),
    failures: formats.integer(data.down.reduce((sum, count) => sum + count, 0)),
  });
  const shown = { from: series.from_unix, to: series.to_unix };
  const { unit, bucket_seconds: bucketSeconds } = series;
  if (view.search.view === 'table')
    return <ChartTable {...{ data, unit, bucketSeconds, annotations, summary }} />;
  const begins = beginningOf(series);
  const now = Math.floor(Date.now() / 1000);
  const asked = view.asked(now);
  const zoom = (factor: number) => (about: number | null) =>
    view.chooseSpan(zoomed(asked, factor, about ?? (asked.from + asked.to) / 2, now), true);
  return (
    <>
      {begins === null ? null : (
        <Beginning
          begins={begins}
          onShow={() => view.chooseSpan(within({ from: begins, to: shown.to }, now))}
        />
      )}
      <LineChart
        data={data}
        unit={unit}
        bucketSeconds={bucketSeconds}
        summary={summary}
        levels={levelsOf(monitor, unit)}
        shown={shown}
        annotations={annotations}
        isFan={percentiles}
        hint={t('chart.hint')}
        {...(begins === null ? {} : { begins })}
        tracks={{
          height: TRACKS_HEIGHT,
          content: <Tracks {...{ data, bucketSeconds, shown, annotations }} onOpen={open} />,
        }}
        keys={{
          zoomTo: (span) => view.chooseSpan(within(span, now)),
          zoomIn: zoom(0.5),
          zoomOut: zoom(2),
          move: (share) => view.chooseSpan(moved(asked, share, now), true),
          reset: () => view.chooseRange(view.range),
          open,
        }}
      />
    </>
  );
}

/** The empty share of the range from which the chart says so. */
const EMPTY_SHARE = 0.15;

/** The first bucket with a check if much of the range lies before it; else null. */
function beginningOf({ from_unix: from, to_unix: to, points }: Series): number | null {
  const first = Math.min(...points.map((point) => point.bucket_unix));
  return first - from < (to - from) * EMPTY_SHARE ? null : first;
}

/** Says that a range starts before the first check, and links to the range with data. */
function Beginning({ begins, onShow }: { begins: number; onShow: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <p className={styles.beginning}>
      {t('chart.noneBefore', { moment: formats.minute(begins) })}
      <Button size="compact-xs" variant="subtle" onClick={onShow}>
        {t('chart.showFromThere')}
      </Button>
    </p>
  );
}

/** Opens the incident or the maintenance window of an annotation. */
function useOpen(): (annotation: Annotation) => void {
  const navigate = useNavigate();
  const orgId = useOrgId();
  return ({ kind, id }) => {
    if (id === null) return;
    if (kind === 'maintenance')
      void navigate({ to: '/o/$orgId/maintenance/$windowId', params: { orgId, windowId: id } });
    else void navigate({ to: '/o/$orgId/incidents/$incidentId', params: { orgId, incidentId: id } });
  };
}
