import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Series } from '#src/series/contract.ts';
import { useFormats } from '#web/format.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { ChartLegend } from './ChartLegend.tsx';
import { chartData } from './chart-data.ts';
import { chartOptions } from './chart-options.ts';
import styles from './ResponseChart.module.css';

/** Latency over time, one line per region, failures marked along the bottom; the legend follows the crosshair. */
export function ResponseChart({ series, monitor }: { series: Series; monitor: Monitor }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const scheme = useComputedColorScheme('light');
  const data = useMemo(() => chartData(series, monitor.interval_seconds), [series, monitor.interval_seconds]);
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(data);
  latest.current = data;
  const [pointed, setPointed] = useState<number | null>(null);
  const shape = `${data.regions.join()} ${series.unit} ${series.range} ${scheme} ${formats.language}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` says when the chart must be made anew; fresh data goes into the old one below
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const made = new uPlot(
      chartOptions({
        regions: data.regions,
        unit: series.unit,
        width: element.clientWidth,
        height: heightFor(element.clientWidth),
        formats,
        bucketSeconds: series.bucket_seconds,
        failuresAt: (at) => latest.current.down[at] ?? 0,
        onPoint: setPointed,
      }),
      [data.xs, ...data.lines] as uPlot.AlignedData,
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height: heightFor(element.clientWidth) });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape]);

  useEffect(() => {
    plot.current?.setData([data.xs, ...data.lines] as uPlot.AlignedData);
  }, [data]);

  const failures = data.down.reduce((sum, count) => sum + count, 0);
  const summary = t('monitor.chartSummary', {
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
    <div>
      <ChartLegend data={data} unit={series.unit} at={pointed} bucketSeconds={series.bucket_seconds} />
      <div ref={frame} className={styles.frame} role="img" aria-label={summary} />
    </div>
  );
}

function heightFor(width: number): number {
  return width < 520 ? 220 : 280;
}
