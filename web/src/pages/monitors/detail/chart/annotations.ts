// Annotations of a chart: incidents, maintenance and announced changes, as spans with a name and a link.
import type { Annotations } from '#src/charts/contract.ts';
import type { Span } from './span.ts';

export type AnnotationKind = 'incident' | 'discarded' | 'maintenance' | 'change';

export type Annotation = Span & {
  kind: AnnotationKind;
  key: string;
  /** Of an incident its cause, of a maintenance window its title, of a change the name it was announced under. */
  name: string;
  /** Id of the incident or the window; null: it has no page. */
  id: string | null;
  /** Only for a change. */
  origin: string | null;
  isOpen: boolean;
};

/** In drawing order: the more important ones lie on top. */
export function annotationsOf(answer: Annotations | undefined, now: number): Annotation[] {
  if (answer === undefined) return [];
  const { maintenance, changes, incidents } = answer;
  return [
    ...(maintenance ?? []).map(({ id, title, starts_at_unix: from, ends_at_unix: to }): Annotation => {
      return { ...bare(from, to), kind: 'maintenance', key: id, name: title, id, isOpen: to > now };
    }),
    ...changes.map(({ origin, name, announced_at_unix: from, held_until_unix: to }, i): Annotation => {
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
      ({ id, cause, discarded, started_at_unix: from, resolved_at_unix: to }): Annotation => {
        const kind = discarded ? 'discarded' : 'incident';
        return { ...bare(from, to ?? now), kind, key: id, name: cause, id, isOpen: to === null };
      },
    ),
  ];
}

const bare = (from: number, to: number) => ({ from, to, id: null, origin: null });

/** The annotations that overlap [from, to), the most important first. One without duration is an instant. */
export const annotationsIn = (annotations: readonly Annotation[], { from, to }: Span): Annotation[] =>
  annotations
    .filter((annotation) => annotation.from < to && (annotation.to > from || annotation.from >= from))
    .reverse();

/** The position of a span within the range, in percent of its width; null: outside. */
export function placeOf({ from, to }: Span, shown: Span): { left: number; width: number } | null {
  const [start, end] = [Math.max(from, shown.from), Math.min(Math.max(to, from), shown.to)];
  if (start > shown.to || end < shown.from || start > end) return null;
  const length = shown.to - shown.from;
  return { left: ((start - shown.from) / length) * 100, width: ((end - start) / length) * 100 };
}
