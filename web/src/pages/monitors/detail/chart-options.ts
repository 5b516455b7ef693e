// The options of the chart: colours from the palette, axes in the reader's language, annotations behind the lines.
import type uPlot from 'uplot';
import type { SeriesUnit } from '#src/domain/names.ts';
import type { Formats } from '#web/format.ts';
import type { Annotation, AnnotationKind } from './chart/annotations.ts';
import type { Span } from './chart/span.ts';
import { TIME_STEPS, timeLabel } from './chart/time-axis.ts';
import { isolatedPoints } from './chart-data.ts';

/** A horizontal line to compare the values with. */
export type Level = { value: number; status: 'failed' | 'degraded' };

type ChartInput = {
  regions: readonly string[];
  unit: SeriesUnit;
  width: number;
  height: number;
  formats: Formats;
  onPoint: (at: number | null) => void;
  levels: readonly Level[];
  /** The axis reaches at least this value; 0: the unit's default. */
  ceiling: number;
  /** Charts with the same name share their crosshair; null: none. */
  sync: string | null;
  /** Annotations and the range of the time axis, read at each drawing. */
  annotations: () => readonly Annotation[];
  shown: () => Span | null;
  /** No data exists before this time; null: the data covers the whole range. */
  begins: () => number | null;
  /** Pixels between the chart and the labels of its time axis, for the tracks. */
  tracks: number;
  /** One more line, faint, for comparison. */
  hasCompared: boolean;
  /** Fills between the first and the last line, for percentiles. */
  isFan: boolean;
  /** Called when a range is selected by dragging; null: selection is off. */
  onZoom: ((span: Span) => void) | null;
  onZoomOut: (() => void) | null;
};

/** Dash patterns beside colours, so that regions differ without colour vision. */
export const DASHES: readonly number[][] = [[], [6, 3], [2, 3], [10, 3, 2, 3], [4, 2], [1, 2]];
export const COMPARED_DASH: readonly number[] = [1, 3];

/** The plot area within its frame, in pixels. */
export const LEFT = 62;
export const RIGHT = 22;
export const BOTTOM = 28;

/** The palette's colour of the n-th region, as resolved by the browser. */
export function seriesColour(n: number): string {
  return colour(`--series-${(n % 6) + 1}`);
}

/** Steps of the latency axis: whole milliseconds only. */
const STEPS_MS = [1, 10, 100, 1_000, 10_000, 100_000].flatMap((unit) => [unit, unit * 2, unit * 5]);

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function drawLevels(plot: uPlot, levels: ChartInput['levels']): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const { value, status } of levels) {
    const y = Math.round(plot.valToPos(value, 'y', true));
    if (y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.strokeStyle = colour(`--${status}-bar`);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

const ANNOTATION_COLOURS: Record<AnnotationKind, { name: string; alpha: number }> = {
  maintenance: { name: '--accent', alpha: 0.07 },
  change: { name: '--accent', alpha: 0.9 },
  discarded: { name: '--idle', alpha: 0.1 },
  incident: { name: '--failed-bar', alpha: 0.13 },
};

/** Bands behind the lines for annotations; an announced change is a line at its time. */
function drawAnnotations(plot: uPlot, annotations: readonly Annotation[]): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { kind, from, to } of annotations) {
    const { name, alpha } = ANNOTATION_COLOURS[kind];
    const left = plot.valToPos(from, 'x', true);
    ctx.globalAlpha = alpha;
    ctx.fillStyle = colour(name);
    if (kind === 'change') {
      ctx.strokeStyle = ctx.fillStyle;
      ctx.lineWidth = ratio;
      ctx.setLineDash([2 * ratio, 3 * ratio]);
      ctx.beginPath();
      ctx.moveTo(left, bbox.top);
      ctx.lineTo(left, bbox.top + bbox.height);
      ctx.stroke();
      continue;
    }
    const width = Math.max(ratio, plot.valToPos(to, 'x', true) - left);
    ctx.fillRect(left, bbox.top, width, bbox.height);
  }
  ctx.restore();
}

/** Shades the time before the first check. */
function drawBlank(plot: uPlot, begins: number | null): void {
  if (begins === null) return;
  const { ctx, bbox } = plot;
  const width = plot.valToPos(begins, 'x', true) - bbox.left;
  ctx.save();
  ctx.globalAlpha = 0.7;
  ctx.fillStyle = colour('--sunken');
  ctx.fillRect(bbox.left, bbox.top, Math.min(bbox.width, width), bbox.height);
  ctx.restore();
}

/** A threshold this many times above the highest value would flatten the curve, and is not shown. */
const FAR = 4;

/** The end of the axis: above the highest value and any threshold near it, and at most 100 for a percentage. */
function topOf({ unit, levels, ceiling }: ChartInput, most: number): number {
  const near = levels.map(({ value }) => value).filter((value) => unit === 'pct' || value <= most * FAR);
  const highest = Math.max(most, ...near) * 1.12;
  const least = Math.max(unit === 'ms' ? 10 : 1, ceiling);
  return highest > least && most <= ceiling && ceiling > 0 ? ceiling : Math.max(least, highest);
}

function linesOf({ regions, hasCompared }: ChartInput): uPlot.Series[] {
  const points = (fill: string): uPlot.Series.Points => ({
    size: 5,
    width: 0,
    fill,
    filter: (u, at) => isolatedPoints(Array.from(u.data[at]!)),
  });
  const lines = regions.map(
    (region, n): uPlot.Series => ({
      label: region,
      stroke: seriesColour(n),
      width: 1.5,
      dash: [...(DASHES[n % DASHES.length] ?? [])],
      spanGaps: false,
      points: points(seriesColour(n)),
    }),
  );
  if (!hasCompared) return lines;
  const faint = colour('--ink-3');
  return [
    ...lines,
    { stroke: faint, width: 1.5, dash: [...COMPARED_DASH], spanGaps: false, points: points(faint) },
  ];
}

/** uPlot options for a chart with `regions.length` lines. */
export function chartOptions(wanted: ChartInput): uPlot.Options {
  const { regions, formats, tracks, onZoom, onZoomOut } = wanted;
  const ink = colour('--ink-3');
  const line = colour('--line');
  const font = '12px "Plex Sans", system-ui, sans-serif';
  const axis = { stroke: ink, font, ticks: { show: false }, grid: { stroke: line, width: 1 } };
  return {
    width: wanted.width,
    height: wanted.height,
    padding: [10, RIGHT, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: onZoom !== null, y: false, setScale: false, dist: 6 },
      bind: {
        dblclick: () => () => {
          onZoomOut?.();
          return null;
        },
      },
      ...(wanted.sync === null ? {} : { sync: { key: wanted.sync, setSeries: false } }),
      points: { size: 7, fill: (u, at) => String((u.series[at]!.stroke as unknown as () => string)()) },
    },
    scales: {
      x: {
        range: (_, least, most) => {
          const shown = wanted.shown();
          return shown === null ? [least, most] : [shown.from, shown.to];
        },
      },
      y: { range: (_, least, most) => [Math.min(0, least ?? 0), topOf(wanted, most ?? 1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 74,
        size: BOTTOM + tracks,
        gap: 5 + tracks,
        incrs: [...TIME_STEPS],
        values: (_, ticks, __, ___, step) => ticks.map((at) => timeLabel(at, step, formats)),
      },
      {
        ...axis,
        size: LEFT,
        space: 44,
        ...(wanted.unit === 'ms' ? { incrs: STEPS_MS } : {}),
        values: (_, ticks) => ticks.map((value) => formats.measured(value, wanted.unit)),
      },
    ],
    series: [{}, ...linesOf(wanted)],
    ...(wanted.isFan ? { bands: [{ series: [regions.length, 1], fill: `${seriesColour(0)}1a` }] } : {}),
    hooks: {
      drawAxes: [
        (plot) => drawBlank(plot, wanted.begins()),
        (plot) => drawAnnotations(plot, wanted.annotations()),
        (plot) => drawLevels(plot, wanted.levels),
      ],
      setCursor: [(plot) => wanted.onPoint(plot.cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (onZoom === null || width <= 0) return;
          onZoom({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') });
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}
