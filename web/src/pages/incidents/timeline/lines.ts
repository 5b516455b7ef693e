// Prepares the timeline for display: joins notes with their text, and collapses repeated entries of the system into one line.
// Pure.
import type { Note } from '#src/incidents/actions-contract.ts';
import type { TimelineEntry } from '#src/incidents/contract.ts';

export type CollapsedKind = 'delivered' | 'delivery_failed' | 'paged';
export type Line =
  | { is: 'entry'; key: string; atUnix: number; kind: string; entry: TimelineEntry }
  | { is: 'note'; key: string; atUnix: number; kind: 'note'; note: Note }
  | {
      is: 'collapsed';
      key: string;
      atUnix: number;
      kind: CollapsedKind;
      event: string | null;
      entries: TimelineEntry[];
    };

/** The number of entries from which a kind is collapsed. */
const COLLAPSE_FROM: Record<CollapsedKind, number> = { delivered: 2, delivery_failed: 4, paged: 4 };
const isCollapsible = (kind: string): kind is CollapsedKind => Object.hasOwn(COLLAPSE_FROM, kind);

export type Delivery = { event: string; target: string; others: number };

/**
 * Parses `opened to Operations`, as deliveries are recorded (src/incidents/record-delivery), also `…, in one message with 3
 * others`; null for a detail in another form.
 */
export function deliveryOf(detail: string | null): Delivery | null {
  const [, event, target, others] =
    /^([a-z_]+) to (.+?)(?:, in one message with (\d+) others?)?$/s.exec(detail ?? '') ?? [];
  return event === undefined || target === undefined ? null : { event, target, others: Number(others ?? 0) };
}

/**
 * Lines, oldest first. A note takes the place of its entry, or else its place by time: the two come from different
 * requests.
 */
export function linesOf(entries: readonly TimelineEntry[], notes: readonly Note[]): Line[] {
  const texts = Map.groupBy(notes, (note) => note.created_at_unix);
  const lines = entries.map((entry, at): Line => {
    const note = entry.kind === 'note' ? texts.get(entry.at_unix)?.shift() : undefined;
    if (note) return noteLine(note);
    return { is: 'entry', key: `${at}`, atUnix: entry.at_unix, kind: entry.kind, entry };
  });
  const left = [...texts.values()].flat().map(noteLine);
  return collapse([...lines, ...left].sort((a, b) => a.atUnix - b.atUnix));
}

const noteLine = (note: Note): Line => ({
  is: 'note',
  key: note.id,
  atUnix: note.created_at_unix,
  kind: 'note',
  note,
});

/** An action of a person ends a collapsed line, so that the order of actions and notifications stays true. */
function collapse(lines: readonly Line[]): Line[] {
  const collapsed: Line[] = [];
  let open = new Map<string, Extract<Line, { is: 'collapsed' }>>();
  for (const line of lines) {
    if (line.is !== 'entry' || !isCollapsible(line.kind)) {
      open = new Map();
      collapsed.push(line);
      continue;
    }
    const event = line.kind === 'paged' ? null : (deliveryOf(line.entry.detail)?.event ?? null);
    const name = `${line.kind} ${event}`;
    const earlier = open.get(name);
    if (earlier) {
      earlier.entries.push(line.entry);
      continue;
    }
    const begun = {
      is: 'collapsed' as const,
      key: line.key,
      atUnix: line.atUnix,
      kind: line.kind,
      event,
      entries: [line.entry],
    };
    open.set(name, begun);
    collapsed.push(begun);
  }
  // Unfolded entries return to their own times.
  return collapsed
    .flatMap((line) =>
      line.is === 'collapsed' && line.entries.length < COLLAPSE_FROM[line.kind] ? expand(line) : line,
    )
    .sort((a, b) => a.atUnix - b.atUnix);
}

const expand = (line: Extract<Line, { is: 'collapsed' }>): Line[] =>
  line.entries.map((entry, at) => ({
    is: 'entry',
    key: `${line.key}.${at}`,
    atUnix: entry.at_unix,
    kind: entry.kind,
    entry,
  }));

export const FILTERS = ['all', 'people', 'alarm', 'notes'] as const;
export type Filter = (typeof FILTERS)[number];

const ALARM = ['held', 'hold_ended', 'suppressed', 'paged', 'escalated', 'delivered', 'delivery_failed'];

/**
 * Whether a filter shows a line. Opening and end stay for context under all filters but the notes. A hold belongs to the
 * people if somebody asked for it.
 */
export function matchesFilter(line: Line, filter: Filter): boolean {
  if (filter === 'all') return true;
  if (filter === 'notes') return line.kind === 'note';
  if (line.kind === 'opened' || line.kind === 'resolved') return true;
  const isAlarm = ALARM.includes(line.kind);
  if (filter === 'alarm') return isAlarm;
  return !isAlarm || (line.is === 'entry' && line.kind.startsWith('h') && line.entry.actor_name != null);
}
