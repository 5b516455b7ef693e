// Prepares the timeline for display: joins notes with their text, and folds repeated entries of the system into one line.
// Pure.
import type { Note } from '#src/incidents/actions-contract.ts';
import type { TimelineEntry } from '#src/incidents/contract.ts';

export type FoldedKind = 'delivered' | 'delivery_failed' | 'paged';
export type Line =
  | { is: 'entry'; key: string; atUnix: number; kind: string; entry: TimelineEntry }
  | { is: 'note'; key: string; atUnix: number; kind: 'note'; note: Note }
  | {
      is: 'fold';
      key: string;
      atUnix: number;
      kind: FoldedKind;
      event: string | null;
      entries: TimelineEntry[];
    };

/** The number of entries from which a kind is folded. */
const FOLD_FROM: Record<FoldedKind, number> = { delivered: 2, delivery_failed: 4, paged: 4 };
const isFolded = (kind: string): kind is FoldedKind => Object.hasOwn(FOLD_FROM, kind);

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
  return fold([...lines, ...left].sort((a, b) => a.atUnix - b.atUnix));
}

const noteLine = (note: Note): Line => ({
  is: 'note',
  key: note.id,
  atUnix: note.created_at_unix,
  kind: 'note',
  note,
});

/** An action of a person ends a fold, so that the order of actions and notifications stays true. */
function fold(lines: readonly Line[]): Line[] {
  const folded: Line[] = [];
  let open = new Map<string, Extract<Line, { is: 'fold' }>>();
  for (const line of lines) {
    if (line.is !== 'entry' || !isFolded(line.kind)) {
      open = new Map();
      folded.push(line);
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
      is: 'fold' as const,
      key: line.key,
      atUnix: line.atUnix,
      kind: line.kind,
      event,
      entries: [line.entry],
    };
    open.set(name, begun);
    folded.push(begun);
  }
  // Unfolded entries return to their own times.
  return folded
    .flatMap((line) =>
      line.is === 'fold' && line.entries.length < FOLD_FROM[line.kind] ? unfold(line) : line,
    )
    .sort((a, b) => a.atUnix - b.atUnix);
}

const unfold = (line: Extract<Line, { is: 'fold' }>): Line[] =>
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
export function passes(line: Line, filter: Filter): boolean {
  if (filter === 'all') return true;
  if (filter === 'notes') return line.kind === 'note';
  if (line.kind === 'opened' || line.kind === 'resolved') return true;
  const isAlarm = ALARM.includes(line.kind);
  if (filter === 'alarm') return isAlarm;
  return !isAlarm || (line.is === 'entry' && line.kind.startsWith('h') && line.entry.actor_name != null);
}
