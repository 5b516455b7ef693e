// What somebody has deleted and may still take back. Nothing is sent before the time for that is over, so a tab that is
// closed meanwhile deletes nothing: all of it is there, or none (docs/rules/errors-and-conventions.md#undo-in-the-dashboard).
import { useMemo, useSyncExternalStore } from 'react';

/** How long a deletion can be taken back, in milliseconds. */
export const UNDO_MS = 8_000;

export type Deletion = {
  /** Of everything that goes with it: lists leave it out meanwhile. */
  ids: readonly string[];
  /** Sends it. What it throws is for `onRefused`. */
  send: () => Promise<unknown>;
  onUndone: () => void;
  onDone: () => void;
  onRefused: (error: unknown) => void;
};

const waiting = new Map<Deletion, ReturnType<typeof setTimeout>>();
const sending = new Set<Deletion>();
const readers = new Set<() => void>();
let going: ReadonlySet<string> = new Set();

function changed(): void {
  going = new Set([...waiting.keys(), ...sending].flatMap(({ ids }) => ids));
  for (const read of readers) read();
}

/** Deletes once the time to take it back is over. */
export function deleteSoon(deletion: Deletion): void {
  if (waiting.size === 0) listen();
  waiting.set(
    deletion,
    setTimeout(() => void sent(deletion), UNDO_MS),
  );
  changed();
}

/** Takes it back; false: it is too late. */
export function undo(deletion: Deletion): boolean {
  const timer = waiting.get(deletion);
  if (timer === undefined) return false;
  clearTimeout(timer);
  over(deletion);
  changed();
  deletion.onUndone();
  return true;
}

async function sent(deletion: Deletion): Promise<void> {
  over(deletion);
  sending.add(deletion);
  try {
    // What was read meanwhile is read again by then, so nothing comes back for a moment.
    await deletion.send();
    deletion.onDone();
  } catch (error) {
    deletion.onRefused(error);
  } finally {
    sending.delete(deletion);
    changed();
  }
}

function over(deletion: Deletion): void {
  waiting.delete(deletion);
  if (waiting.size === 0) stopListening();
}

/** Who closes the tab now deletes nothing, and is told. */
const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** The key that takes back takes back what was deleted last, unless something is being typed. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'z' || event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return;
  if (event.target instanceof HTMLElement && event.target.matches('input, textarea, [contenteditable]'))
    return;
  const last = [...waiting.keys()].at(-1);
  if (last !== undefined && undo(last)) event.preventDefault();
}

function listen(): void {
  addEventListener('beforeunload', onBeforeUnload);
  addEventListener('keydown', onKeyDown);
}

function stopListening(): void {
  removeEventListener('beforeunload', onBeforeUnload);
  removeEventListener('keydown', onKeyDown);
}

function subscribe(read: () => void): () => void {
  readers.add(read);
  return () => readers.delete(read);
}

/** A list without what is being deleted. */
export function useStaying<Row extends { id: string }>(rows: readonly Row[] = NONE): readonly Row[] {
  const gone = useSyncExternalStore(subscribe, () => going);
  return useMemo(() => (gone.size === 0 ? rows : rows.filter(({ id }) => !gone.has(id))), [rows, gone]);
}

const NONE: readonly never[] = [];
