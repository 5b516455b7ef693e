// Undo for operations that the API cannot reverse: a deletion, a note. The change shows at once, but nothing is sent before
// the time to undo is over, so closing the tab earlier changes nothing
// (docs/rules/errors-and-conventions.md#undo-in-the-dashboard).
import { useMemo, useSyncExternalStore } from 'react';

/** How long a deletion can be undone, in milliseconds. */
export const UNDO_MS = 8_000;

export type Undoable = {
  /** The ids of everything deleted with it: lists hide them meanwhile. */
  ids: readonly string[];
  /** How long it can be undone, in milliseconds; by default as long as a deletion. */
  undoMs?: number;
  /** Sends it. An error goes to `onRefused`. */
  send: () => Promise<unknown>;
  onUndone: () => void;
  onDone: () => void;
  onRefused: (error: unknown) => void;
};

const waiting = new Map<Undoable, ReturnType<typeof setTimeout>>();
const sending = new Set<Undoable>();
const readers = new Set<() => void>();
let going: ReadonlySet<string> = new Set();

function changed(): void {
  going = new Set([...waiting.keys(), ...sending].flatMap(({ ids }) => ids));
  for (const read of readers) read();
}

/**
 * Sends it once the time to undo is over. False: all of it is being deleted already, by an earlier press; a second deletion would be
 * refused, and could be undone by itself.
 */
export function doAfterUndoTime(step: Undoable): boolean {
  if (step.ids.length > 0 && step.ids.every((id) => going.has(id))) return false;
  if (waiting.size === 0) listen();
  waiting.set(
    step,
    setTimeout(() => void sent(step), step.undoMs ?? UNDO_MS),
  );
  changed();
  return true;
}

/** Undoes it; false: it is too late. */
export function undo(step: Undoable): boolean {
  const timer = waiting.get(step);
  if (timer === undefined) return false;
  clearTimeout(timer);
  over(step);
  changed();
  step.onUndone();
  return true;
}

async function sent(step: Undoable): Promise<void> {
  over(step);
  sending.add(step);
  try {
    // Reads made meanwhile are refetched by then, so nothing reappears briefly.
    await step.send();
    step.onDone();
  } catch (error) {
    step.onRefused(error);
  } finally {
    sending.delete(step);
    changed();
  }
}

function over(step: Undoable): void {
  waiting.delete(step);
  if (waiting.size === 0) stopListening();
}

/** Closing the tab now changes nothing, and the browser warns of that. */
const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** The undo key undoes the last operation, unless the focus is in a text field. */
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

/** A list without the entries that are being deleted. */
export function useWithoutDeleted<Row extends { id: string }>(rows: readonly Row[] = NONE): readonly Row[] {
  const gone = useSyncExternalStore(subscribe, () => going);
  return useMemo(() => (gone.size === 0 ? rows : rows.filter(({ id }) => !gone.has(id))), [rows, gone]);
}

const NONE: readonly never[] = [];
