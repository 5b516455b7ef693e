// Makes a chart usable by keyboard: a slider over its buckets that also zooms, and opens the annotation under it.
import { type FocusEvent, type KeyboardEvent, type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import type { SeriesUnit } from '#src/domain/names.ts';
import { useFormats } from '#web/format.ts';
import type { ChartData } from '../chart-data.ts';
import { type Annotation, annotationsIn } from './annotations.ts';
import { countsAt } from './lines.ts';
import type { Span } from './span.ts';
import { useAnnotationWords } from './use-annotation-words.ts';

/** The actions of a chart. `about`: the moment that keeps its place, in Unix seconds; null: the middle. */
export type ChartKeys = {
  zoomTo: (span: Span) => void;
  zoomIn: (about: number | null) => void;
  zoomOut: (about: number | null) => void;
  /** By a share of the visible range. */
  move: (share: number) => void;
  reset: () => void;
  open: (annotation: Annotation) => void;
};

type ChartKeysOptions = {
  plot: RefObject<uPlot | null>;
  data: ChartData;
  bucketSeconds: number;
  keys: ChartKeys | undefined;
  unit: SeriesUnit;
  at: number | null;
  annotations: readonly Annotation[];
};

const FAR = 10;

/** Attributes of the chart's frame; empty for a chart that is a picture. */
export function useChartKeys({ plot, data, bucketSeconds, keys, unit, at, annotations }: ChartKeysOptions) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useAnnotationWords();
  // The cursor's time, set by keys: new data and zooming change the buckets.
  const put = useRef<number | null>(null);
  if (keys === undefined) return {};
  const last = data.xs.length - 1;

  const point = (place: number): void => {
    const to = Math.max(0, Math.min(last, place));
    put.current = data.xs[to] ?? null;
    const made = plot.current;
    if (made === null) return;
    made.setCursor({ left: made.valToPos(made.data[0][to] ?? 0, 'x'), top: made.over.clientHeight / 2 });
  };
  const leave = (): void => {
    put.current = null;
    plot.current?.setCursor({ left: -10, top: -10 });
  };
  /** The bucket at the cursor; if the cursor is gone, the one that contains its last time, or else the newest. */
  const current = (): number => {
    if (at !== null) return at;
    const was = put.current;
    const place = was === null ? -1 : data.xs.findLastIndex((x) => x <= was);
    return place < 0 ? last : place;
  };
  const under = annotationsIn(annotations, spanAt(data, at ?? last, bucketSeconds));
  const middle = () => (at === null ? null : (data.xs[at] ?? 0) + bucketSeconds / 2);

  const act = (event: KeyboardEvent): boolean => {
    const by = event.shiftKey ? FAR : 1;
    switch (event.key) {
      case 'ArrowLeft':
        point(current() - by);
        return true;
      case 'ArrowRight':
        point(at === null && put.current === null ? last : current() + by);
        return true;
      case 'Home':
        point(0);
        return true;
      case 'End':
        point(last);
        return true;
      case 'PageUp':
        keys.move(-0.5);
        return true;
      case 'PageDown':
        keys.move(0.5);
        return true;
      case '+':
      case '=':
        keys.zoomIn(middle());
        return true;
      case '-':
        keys.zoomOut(middle());
        return true;
      case '0':
      case 'Escape':
        keys.reset();
        return true;
      case 'Enter': {
        const annotation = under.find(({ id }) => id !== null);
        if (annotation !== undefined) keys.open(annotation);
        return true;
      }
      default:
        return false;
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const said = (): string => {
    const place = at ?? last;
    const x = data.xs[place];
    if (x === undefined) return '';
    const values = data.regions.flatMap((region, n) => {
      const avg = data.buckets[n]?.[place]?.avg;
      const value = avg == null ? t('chart.nothing') : formats.measured(avg, unit);
      return [region === '' ? value : `${region} ${value}`];
    });
    const { up, down, degraded } = countsAt(data, place);
    const failed = down === 0 ? [] : [t('monitor.failedOf', { failed: down, total: up + down + degraded })];
    return [
      `${formats.day(x)}, ${formats.clock(x).slice(0, bucketSeconds < 60 ? 8 : 5)}`,
      ...values,
      ...failed,
      ...under.map(words),
    ].join('; ');
  };
  return {
    role: 'slider',
    tabIndex: 0,
    'aria-valuemin': 0,
    'aria-valuemax': Math.max(0, last),
    'aria-valuenow': at ?? last,
    'aria-valuetext': said(),
    onKeyDown,
    onBlur: leave,
    // Mouse users already have a cursor.
    onFocus: ({ currentTarget }: FocusEvent) => {
      if (at === null && currentTarget.matches(':focus-visible')) point(current());
    },
  } as const;
}

const spanAt = ({ xs }: ChartData, at: number, bucketSeconds: number): Span => ({
  from: xs[at] ?? 0,
  to: (xs[at] ?? 0) + bucketSeconds,
});
