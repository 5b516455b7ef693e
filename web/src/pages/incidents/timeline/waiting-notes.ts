// Internal notes are shown the moment they are written, and sent a few seconds later: until then they can be taken back, as
// the interface deletes none (docs/rules/errors-and-conventions.md#undo-in-the-dashboard). What is not sent after all, its
// text goes back to where it was written.
import { useSyncExternalStore } from 'react';
import type { Note } from '#src/incidents/actions-contract.ts';
import { doSoon, undo } from '#web/undoable.ts';

/** How long a note can be taken back, in milliseconds: others wait for it. */
export const NOTE_UNDO_MS = 5_000;

export type WaitingNote = Note & {
  incidentId: string;
  /** null: it is being sent, and stays. */
  takeBack: (() => void) | null;
};

type Written = Pick<WaitingNote, 'incidentId' | 'body' | 'kind' | 'author_name'>;
type Sending = {
  /** Sends it, and calls `onSent` once the sent one can be shown instead. */
  send: (onSent: () => void) => Promise<unknown>;
  onRefused: (error: unknown) => void;
};

const NONE: readonly WaitingNote[] = [];
const readers = new Set<() => void>();
let waiting: readonly WaitingNote[] = NONE;
/** Texts that were not sent, of incidents. */
const returned = new Map<string, string>();
let made = 0;

function changed(notes: readonly WaitingNote[]): void {
  waiting = notes;
  for (const read of readers) read();
}

/** Shows a note, and sends it soon. */
export function addSoon(written: Written, { send, onRefused }: Sending): void {
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
  doSoon(step);
  const note: WaitingNote = {
    ...written,
    id,
    visibility: 'internal',
    created_at_unix: Math.floor(Date.now() / 1_000),
    takeBack: () => undo(step),
  };
  changed([...waiting, note]);
}

/** The text that was written for an incident and not sent after all; it is the caller's from then on. */
export function takeReturned(incidentId: string): string | undefined {
  const text = returned.get(incidentId);
  returned.delete(incidentId);
  return text;
}

export function onWaitingChange(read: () => void): () => void {
  readers.add(read);
  return () => readers.delete(read);
}

/** All that are shown and not stored yet. */
export const waitingNotes = (): readonly WaitingNote[] => waiting;

export const useWaitingNotes = (): readonly WaitingNote[] =>
  useSyncExternalStore(onWaitingChange, waitingNotes);
