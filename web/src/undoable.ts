// What the interface cannot take back, somebody still can: a deletion, a note. It shows at once, and nothing is sent before the
// time for that is over, so a tab that is closed meanwhile has changed nothing
// (docs/rules/errors-and-conventions.md#undo-in-the-dashboard).
import { useMemo, useSyncExternalStore } from 'react';

/** How long a deletion can be taken back, in milliseconds. */
export const UNDO_MS = 8_000;

export type Undoable = {
  /** Of everything that is deleted with it: lists leave it out meanwhile. */
  ids: readonly string[];
  /** How long it can be taken back, in milliseconds; as long as a deletion where nothing is said. */
  undoMs?: number;
  /** Sends it. What it throws is for `onRefused`. */
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

/** Sends it once the time to take it back is over. */
export function doSoon(step: Undoable): void {
  if (waiting.size === 0) listen();
  waiting.set(
    step,
    setTimeout(() => void sent(step), step.undoMs ?? UNDO_MS),
  );
  changed();
}

/** Takes it back; false: it is too late. */
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
    // What was read meanwhile is read again by then, so nothing comes back for a moment.
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

/** Who closes the tab now changes nothing, and is told. */
const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** The key that takes back takes back what was done last, unless something is being typed. */
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
