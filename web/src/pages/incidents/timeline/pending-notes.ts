// Internal notes appear as soon as they are written and are sent a few seconds later. Until then they can be undone, since
// the API cannot delete them (docs/rules/errors-and-conventions.md#undo-in-the-dashboard). The text of an unsent note
// returns to the form.
import { useSyncExternalStore } from 'react';
import type { Note } from '#src/incidents/actions-contract.ts';
import { doAfterUndoTime, undo } from '#web/undoable.ts';

/** How long a note can be undone, in milliseconds. Short, because others wait for it. */
export const NOTE_UNDO_MS = 5_000;

export type PendingNote = Note & {
  incidentId: string;
  /** null: it is being sent and can no longer be undone. */
  takeBack: (() => void) | null;
};

type Written = Pick<PendingNote, 'incidentId' | 'body' | 'kind' | 'author_name'>;
type Sending = {
  /** Sends the note; calls `onSent` once the stored note can replace it. */
  send: (onSent: () => void) => Promise<unknown>;
  onRefused: (error: unknown) => void;
};

const NONE: readonly PendingNote[] = [];
const readers = new Set<() => void>();
let waiting: readonly PendingNote[] = NONE;
/** Texts of unsent notes, by incident. */
const returned = new Map<string, string>();
let made = 0;

function changed(notes: readonly PendingNote[]): void {
  waiting = notes;
  for (const read of readers) read();
}

/** Shows a note, and sends it soon. */
export function addPendingNote(written: Written, { send, onRefused }: Sending): void {
  made += 1;
  const id = `waiting-${made}`;
  const gone = () => changed(waiting.filter((note) => note.id !== id));
  const giveBack = () => {
    const earlier = returned.get(written.incidentId);
    returned.set(written.incidentId, earlier === undefined ? written.body : `${earlier}\n\n${written.body}`);
    gone();
  };
  const step = {
    ids: [],
    undoMs: NOTE_UNDO_MS,
    send: () => {
      changed(waiting.map((note) => (note.id === id ? { ...note, takeBack: null } : note)));
      return send(gone);
    },
    onUndone: giveBack,
    onDone: () => undefined,
    onRefused: (error: unknown) => {
      giveBack();
      onRefused(error);
    },
  };
  doAfterUndoTime(step);
  const note: PendingNote = {
    ...written,
    id,
    visibility: 'internal',
    created_at_unix: Math.floor(Date.now() / 1_000),
    takeBack: () => undo(step),
  };
  changed([...waiting, note]);
}

/** Removes and returns the text of an unsent note of an incident. */
export function takeUnsentNote(incidentId: string): string | undefined {
  const text = returned.get(incidentId);
  returned.delete(incidentId);
  return text;
}

export function onPendingChange(read: () => void): () => void {
  readers.add(read);
  return () => readers.delete(read);
}

/** All notes that are shown and not stored yet. */
export const pendingNotes = (): readonly PendingNote[] => waiting;

export const usePendingNotes = (): readonly PendingNote[] =>
  useSyncExternalStore(onPendingChange, pendingNotes);
