// How the chart is drawn: colours from the palette, axes in the reader's language, failures as a row of marks.
import type uPlot from 'uplot';
import type { SeriesUnit } from '#src/domain/names.ts';
import type { Formats } from '#web/format.ts';
import { lonely } from './chart-data.ts';

/** A line across the chart: what the values are compared with. */
export type Level = { value: number; status: 'failed' | 'degraded' };

type Wanted = {
  regions: readonly string[];
  unit: SeriesUnit;
  width: number;
  height: number;
  formats: Formats;
  bucketSeconds: number;
  failuresAt: (at: number) => number;
  onPoint: (at: number | null) => void;
  levels: readonly Level[];
  /** The value that the axis reaches at least; 0: what the unit asks for. */
  ceiling: number;
  /** Charts of one name share their crosshair; null: with none. */
  sync: string | null;
};

/** Dashes beside colours, so that regions differ without colour vision. */
export const DASHES: readonly number[][] = [[], [6, 3], [2, 3], [10, 3, 2, 3], [4, 2], [1, 2]];

/** The palette's colour of the n-th region, as the browser resolved it. */
export function seriesColour(n: number): string {
  return colour(`--series-${(n % 6) + 1}`);
}

/** Steps of the latency axis: whole milliseconds only. */
const STEPS_MS = [1, 10, 100, 1_000, 10_000, 100_000].flatMap((unit) => [unit, unit * 2, unit * 5]);

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function drawFailures(plot: uPlot, failuresAt: Wanted['failuresAt'], bucketSeconds: number): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const xs = plot.data[0];
  const width = Math.max(
    2 * ratio,
    plot.valToPos(xs[0]! + bucketSeconds, 'x', true) - plot.valToPos(xs[0]!, 'x', true),
  );
  ctx.save();
  for (const [at, x] of xs.entries()) {
    if (failuresAt(at) === 0) continue;
    const left = plot.valToPos(x, 'x', true) - width / 2;
    ctx.globalAlpha = 0.1;
    ctx.fillStyle = colour('--failed-bar');
    ctx.fillRect(left, bbox.top, width, bbox.height);
    ctx.globalAlpha = 1;
    ctx.fillRect(left, bbox.top + bbox.height - 6 * ratio, width, 6 * ratio);
  }
  ctx.restore();
}

function drawLevels(plot: uPlot, levels: Wanted['levels']): void {
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

/** A level so many times above the highest value would press the curve to the floor, and is not shown. */
const FAR = 4;

/** Where the axis ends: above the highest value and the levels near it, and no percentage beyond what there can be. */
function topOf({ unit, levels, ceiling }: Wanted, most: number): number {
  const near = levels.map(({ value }) => value).filter((value) => unit === 'pct' || value <= most * FAR);
  const highest = Math.max(most, ...near) * 1.12;
  const least = Math.max(unit === 'ms' ? 10 : 1, ceiling);
  return highest > least && most <= ceiling && ceiling > 0 ? ceiling : Math.max(least, highest);
}

/** Options of a chart with `regions.length` lines. */
export function chartOptions(wanted: Wanted): uPlot.Options {
  const { regions, formats, bucketSeconds } = wanted;
  const ink = colour('--ink-3');
  const line = colour('--line');
  const font = '12px "Plex Sans", system-ui, sans-serif';
  const axis = { stroke: ink, font, ticks: { show: false }, grid: { stroke: line, width: 1 } };
  const days = bucketSeconds >= 3_600;
  return {
    width: wanted.width,
    height: wanted.height,
    padding: [10, 22, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false, setScale: false },
      ...(wanted.sync === null ? {} : { sync: { key: wanted.sync, setSeries: false } }),
      points: { size: 7, fill: (u, at) => String((u.series[at]!.stroke as unknown as () => string)()) },
    },
    scales: {
      y: { range: (_, least, most) => [Math.min(0, least ?? 0), topOf(wanted, most ?? 1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 74,
        size: 28,
        values: (_, ticks) => ticks.map((at) => (days ? formats.day(at) : formats.clock(at).slice(0, 5))),
        ...(days ? { incrs: [86_400, 2 * 86_400, 7 * 86_400, 14 * 86_400, 30 * 86_400] } : {}),
      },
      {
        ...axis,
        size: 62,
        space: 44,
        ...(wanted.unit === 'ms' ? { incrs: STEPS_MS } : {}),
        values: (_, ticks) => ticks.map((value) => formats.measured(value, wanted.unit)),
      },
    ],
    series: [
      {},
      ...regions.map((region, n) => ({
        label: region,
        stroke: seriesColour(n),
        width: 1.5,
        dash: [...(DASHES[n % DASHES.length] ?? [])],
        spanGaps: false,
        points: {
          size: 5,
          width: 0,
          fill: seriesColour(n),
          filter: (u: uPlot, at: number) => lonely(Array.from(u.data[at]!)),
        },
      })),
    ],
    hooks: {
      drawAxes: [
        (plot) => drawFailures(plot, wanted.failuresAt, bucketSeconds),
        (plot) => drawLevels(plot, wanted.levels),
      ],
      setCursor: [(plot) => wanted.onPoint(plot.cursor.idx ?? null)],
    },
  };
}
