// What is drawn into a chart: incidents, maintenance and announced changes, as spans with a name and a place to go.
import type { Annotations } from '#src/charts/contract.ts';
import type { Span } from './span.ts';

export type MarkKind = 'incident' | 'discarded' | 'maintenance' | 'change';

export type Mark = Span & {
  kind: MarkKind;
  key: string;
  /** As somebody wrote it: the cause, the title; of a change who announced it. */
  name: string;
  /** Of the incident or the window; null: there is no page about it. */
  id: string | null;
  /** Of a change. */
  origin: string | null;
  isOpen: boolean;
};

/** In the order in which they are drawn: what is more important lies on top. */
export function marksOf(annotations: Annotations | undefined, now: number): Mark[] {
  if (annotations === undefined) return [];
  const { maintenance, changes, incidents } = annotations;
  return [
    ...(maintenance ?? []).map(({ id, title, starts_at_unix: from, ends_at_unix: to }): Mark => {
      return { ...bare(from, to), kind: 'maintenance', key: id, name: title, id, isOpen: to > now };
    }),
    ...changes.map(({ origin, name, announced_at_unix: from, held_until_unix: to }, i): Mark => {
      return {
        ...bare(from, to),
        kind: 'change',
        key: `change ${from} ${i}`,
        name,
        origin,
        isOpen: to > now,
      };
    }),
    ...(incidents ?? []).map(
      ({ id, cause, discarded, started_at_unix: from, resolved_at_unix: to }): Mark => {
        const kind = discarded ? 'discarded' : 'incident';
        return { ...bare(from, to ?? now), kind, key: id, name: cause, id, isOpen: to === null };
      },
    ),
  ];
}

const bare = (from: number, to: number) => ({ from, to, id: null, origin: null });

/** The marks that some of [from, to) lies in, the most important first. One without a length is at its instant. */
export const marksIn = (marks: readonly Mark[], { from, to }: Span): Mark[] =>
  marks.filter((mark) => mark.from < to && (mark.to > from || mark.from >= from)).reverse();

/** Where a span lies in what is shown, in percent of its width; null: outside. */
export function placeOf({ from, to }: Span, shown: Span): { left: number; width: number } | null {
  const [start, end] = [Math.max(from, shown.from), Math.min(Math.max(to, from), shown.to)];
  if (start > shown.to || end < shown.from || start > end) return null;
  const length = shown.to - shown.from;
  return { left: ((start - shown.from) / length) * 100, width: ((end - start) / length) * 100 };
}
