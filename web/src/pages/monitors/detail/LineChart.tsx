import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import type { SeriesUnit } from '#src/domain/names.ts';
import { useFormats } from '#web/format.ts';
import { ChartLegend } from './ChartLegend.tsx';
import type { ChartData } from './chart-data.ts';
import { chartOptions, type Level } from './chart-options.ts';
import styles from './LineChart.module.css';

type Props = {
  data: ChartData;
  unit: SeriesUnit;
  bucketSeconds: number;
  /** The chart in words, for those who do not see it. */
  summary: string;
  /** Lines across: what the values are compared with. */
  levels?: readonly Level[];
  /** The value that the axis reaches at least: 100 of a percentage. */
  ceiling?: number;
  /** Pixels; without it as high as the page of a monitor wants it. */
  height?: number;
  /** Charts of one name share their crosshair. */
  sync?: string;
};

/** Values over time, one line each; the legend follows the crosshair. */
export function LineChart({ data, unit, bucketSeconds, summary, levels = [], ceiling, height, sync }: Props) {
  const formats = useFormats();
  const scheme = useComputedColorScheme('light');
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(data);
  latest.current = data;
  const [pointed, setPointed] = useState<number | null>(null);
  const shape = `${data.regions.join()} ${unit} ${bucketSeconds} ${scheme} ${formats.language} ${JSON.stringify(levels)}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` says when the chart must be made anew; fresh data goes into the old one below
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const size = () => ({ width: element.clientWidth, height: height ?? heightFor(element.clientWidth) });
    const made = new uPlot(
      chartOptions({
        regions: data.regions,
        unit,
        ...size(),
        formats,
        bucketSeconds,
        failuresAt: (at) => latest.current.down[at] ?? 0,
        onPoint: setPointed,
        levels,
        ceiling: ceiling ?? 0,
        sync: sync ?? null,
      }),
      [data.xs, ...data.lines] as uPlot.AlignedData,
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize(size()));
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

  return (
    <div>
      <ChartLegend data={data} unit={unit} at={pointed} bucketSeconds={bucketSeconds} />
      <div
        ref={frame}
        className={styles.frame}
        style={{ minHeight: height ?? 220 }}
        role="img"
        aria-label={summary}
      />
    </div>
  );
}

function heightFor(width: number): number {
  return width < 520 ? 220 : 280;
}
