import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import type { SeriesUnit } from '#src/domain/names.ts';
import { useFormats } from '#web/format.ts';
import { ChartLegend } from './ChartLegend.tsx';
import { type Annotation, annotationsIn } from './chart/annotations.ts';
import type { Span } from './chart/span.ts';
import { useAnnotationWords } from './chart/use-annotation-words.ts';
import { type ChartKeys, useChartKeys } from './chart/use-chart-keys.ts';
import type { ChartData } from './chart-data.ts';
import { chartOptions, type Level } from './chart-options.ts';
import styles from './LineChart.module.css';

type Props = {
  data: ChartData;
  unit: SeriesUnit;
  bucketSeconds: number;
  /** A description of the chart for screen readers. */
  summary: string;
  /** Horizontal lines to compare the values with: thresholds. */
  levels?: readonly Level[];
  /** The axis reaches at least this value: 100 for a percentage. */
  ceiling?: number;
  /** Height in pixels; by default that of the monitor's page. */
  height?: number;
  /** Charts with the same name share their crosshair. */
  sync?: string;
  /** The range of the time axis; by default that of the data. */
  shown?: Span;
  annotations?: readonly Annotation[];
  /** The lines are percentiles, from the lowest to the highest. */
  isFan?: boolean;
  /** Content between the chart and the labels of its time axis, with its height. */
  tracks?: { height: number; content: ReactNode };
  /** Shown below the chart, unless there is an event under the crosshair. */
  hint?: string;
  /** The time before it is shaded, since there is no data. */
  begins?: number;
  /** Handles dragging, double clicks and keys; without it the chart is a picture. */
  keys?: ChartKeys;
};

const NO_ANNOTATIONS: readonly Annotation[] = [];

/** A line chart over time; the legend follows the crosshair. */
export function LineChart(props: Props) {
  const { data, unit, bucketSeconds, summary, levels = [], ceiling, height, sync } = props;
  const { shown, annotations = NO_ANNOTATIONS, isFan = false, tracks, keys, hint, begins } = props;
  const formats = useFormats();
  const scheme = useComputedColorScheme('light');
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef({ annotations, shown: shown ?? null, keys, begins });
  latest.current = { annotations, shown: shown ?? null, keys, begins };
  const [pointed, setPointed] = useState<number | null>(null);
  const hasCompared = data.compared !== undefined;
  const shape = `${data.regions.join()} ${unit} ${scheme} ${formats.language} ${hasCompared} ${isFan} ${tracks?.height} ${JSON.stringify(levels)}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` says when the chart must be rebuilt; new data goes into the existing one below
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
        onPoint: setPointed,
        levels,
        ceiling: ceiling ?? 0,
        sync: sync ?? null,
        annotations: () => latest.current.annotations,
        shown: () => latest.current.shown,
        begins: () => latest.current.begins ?? null,
        tracks: tracks?.height ?? 0,
        hasCompared,
        isFan,
        onZoom: keys === undefined ? null : (span) => latest.current.keys?.zoomTo(span),
        onZoomOut: () => latest.current.keys?.zoomOut(null),
      }),
      aligned(data, bucketSeconds, shown),
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: annotations are read while drawing, and a change redraws
  useEffect(() => {
    plot.current?.setData(aligned(data, bucketSeconds, shown));
  }, [data, annotations]);

  const at = pointed !== null && pointed < data.xs.length ? pointed : null;
  const under =
    at === null ? NO_ANNOTATIONS : annotationsIn(annotations, bucketSpan(data, at, bucketSeconds));
  const control = useChartKeys({ plot, data, bucketSeconds, keys, unit, at, annotations });
  return (
    <div>
      <ChartLegend
        data={data}
        unit={unit}
        at={at}
        bucketSeconds={bucketSeconds}
        isFan={isFan}
        areFailuresDrawn={tracks !== undefined}
      />
      <div className={styles.whole}>
        <div
          ref={frame}
          className={styles.frame}
          style={{ minHeight: height ?? 220 }}
          role="img"
          aria-label={summary}
          {...control}
        />
        {tracks?.content}
      </div>
      {hint === undefined ? null : <UnderChart hint={hint} annotations={under} />}
    </div>
  );
}

/** As many as fit side by side. */
const MAX_NAMED = 3;

/** The event under the crosshair, or else a hint. Its height never changes. */
function UnderChart({ hint, annotations }: { hint: string; annotations: readonly Annotation[] }) {
  const words = useAnnotationWords();
  if (annotations.length === 0) return <p className={styles.under}>{hint}</p>;
  return (
    <p className={styles.under} data-named>
      {annotations.slice(0, MAX_NAMED).map((annotation) => (
        <span key={annotation.key} data-kind={annotation.kind}>
          {words(annotation)}
        </span>
      ))}
    </p>
  );
}

/** The time that a bucket covers. */
export const bucketSpan = ({ xs }: ChartData, at: number, bucketSeconds: number): Span => ({
  from: xs[at] ?? 0,
  to: (xs[at] ?? 0) + bucketSeconds,
});

/** A value sits in the middle of its bucket, or of the visible part. */
function aligned(data: ChartData, bucketSeconds: number, shown: Span | undefined): uPlot.AlignedData {
  const middle = (x: number) =>
    shown === undefined ? x : (Math.max(x, shown.from) + Math.min(x + bucketSeconds, shown.to)) / 2;
  const xs = data.xs.map(middle);
  return [xs, ...data.lines, ...(data.compared === undefined ? [] : [data.compared])] as uPlot.AlignedData;
}

function heightFor(width: number): number {
  return width < 520 ? 260 : 330;
}
