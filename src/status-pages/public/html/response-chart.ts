// Response times as inline SVG: a sparkline of a day, and a chart of the window with its axes. Points are whole numbers,
// written as relative steps, which keeps a page of many monitors small.
import { html, type Markup } from '#src/platform/html.ts';
import type { PublicMonitor, ResponseTimes } from '../snapshot.ts';
import { filled } from '../words.ts';
import type { View } from './view.ts';

type Points = readonly (number | null)[];

const MAX_POINTS = 90;
const HEIGHT = 100;

/** The last 24 hours without axes; null if nothing was measured, or the page does not show it. */
export function sparkline({ sparkline: points }: PublicMonitor, { words, formats }: View): Markup | null {
  const known = knownOf(points);
  if (points === null || known.length === 0) return null;
  const most = Math.max(...known);
  const average = formats.responseTime(mean(known));
  const said = filled(words.sparkline, { average });
  return html`<span class="speed" title="${said}"><svg class="spark" viewBox="0 0 ${points.length - 1 || 1} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${said}"><path d="${line(points, 0, most * 1.1)}"/></svg><span aria-hidden="true">${average}</span></span>`;
}

/** The chart with its axes and a sentence that describes it; null if there is nothing to draw. */
export function responseChart({ chart, windowDays }: PublicMonitor, view: View): Markup | null {
  const known = knownOf(chart?.averagesMs ?? null);
  if (!chart || known.length === 0) return null;
  const { words, formats } = view;
  const points = thinned(chart.averagesMs);
  const right = points.length - 1 || 1;
  const top = niceTop(Math.max(...known));
  const said = filled(words.responseTimeSaid, {
    days: windowDays,
    average: formats.responseTime(mean(known)),
    least: formats.responseTime(Math.min(...known)),
    most: formats.responseTime(Math.max(...known)),
  });
  return html`<figure class="chart"><figcaption><strong>${words.responseTime}</strong> ${said}</figcaption>
<div class="plot"><ol class="y" aria-hidden="true">${[top, top / 2, 0].map((ms) => html`<li>${formats.responseTime(ms)}</li>`)}</ol>
<svg viewBox="0 0 ${right} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="grid" d="M0 0h${right}M0 50h${right}M0 100h${right}"/><path class="curve" d="${line(points, 0, top)}"/></svg>
<ol class="x" aria-hidden="true">${datesOf(chart, view).map((date) => html`<li>${date}</li>`)}</ol></div></figure>`;
}

const knownOf = (points: Points | null): number[] => (points ?? []).filter((point) => point !== null);

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** At most this many points, each the mean of its neighbours. */
function thinned(points: Points): Points {
  const size = Math.ceil(points.length / MAX_POINTS);
  if (size <= 1) return points;
  return Array.from({ length: Math.ceil(points.length / size) }, (_, at) => {
    const known = knownOf(points.slice(at * size, (at + 1) * size));
    return known.length === 0 ? null : mean(known);
  });
}

/** A line from left to right with gaps where nothing was measured; a single point is drawn as a short line. */
function line(points: Points, least: number, most: number): string {
  let path = '';
  let last: number | null = null;
  for (const [at, point] of points.entries()) {
    if (point === null) {
      last = null;
      continue;
    }
    const y = Math.round(HEIGHT - ((point - least) / (most - least || 1)) * HEIGHT);
    if (last === null) path += `M${at} ${y}${points[at + 1] == null ? 'h.5' : ''}`;
    else path += `l1 ${y - last}`;
    last = y;
  }
  return path;
}

/** The next larger round number: 1, 2, 4, 5 or 8 times a power of ten, whose half is round too. */
function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return power * ([1, 2, 4, 5, 8, 10].find((step) => step * power >= most) ?? 10);
}

/** Five dates from the first to the last, or fewer if there are fewer days. */
function datesOf({ fromMs, bucketMs, averagesMs }: ResponseTimes, { formats }: View): string[] {
  const lengthMs = bucketMs * (averagesMs.length - 1);
  const dates = [0, 0.25, 0.5, 0.75, 1].map((part) => formats.shortDay(fromMs + part * lengthMs));
  return [...new Set(dates)];
}
