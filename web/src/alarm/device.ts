// Settings of this browser alone, shared by its tabs: whether the loud alarm may sound, and until when it is muted.
import { useSyncExternalStore } from 'react';
import { remember, remembered } from '../remembered.ts';

const ON = 'loud-alarm';
const SILENT = 'loud-alarm-silent-until';
const readers = new Set<() => void>();

const notifyReaders = () => {
  for (const reader of readers) reader();
};

function subscribe(reader: () => void): () => void {
  // Other tabs receive a storage event; this tab notifies itself.
  if (readers.size === 0) window.addEventListener('storage', notifyReaders);
  readers.add(reader);
  return () => {
    readers.delete(reader);
    if (readers.size === 0) window.removeEventListener('storage', notifyReaders);
  };
}

/** Whether the loud alarm may sound in this browser; on by default. */
export function useLoudAlarm(): boolean {
  return useSyncExternalStore(subscribe, () => remembered(ON) !== 'off');
}

/** Switches the loud alarm of this browser on or off. */
export function setLoudAlarm(on: boolean): void {
  remember(ON, on ? 'on' : 'off');
  notifyReaders();
}

/** Until when this browser is muted, in milliseconds since 1970; 0 if it is not. */
export function useSilentUntil(): number {
  return useSyncExternalStore(subscribe, () => Number(remembered(SILENT)) || 0);
}

/** Mutes this browser until then; 0 unmutes it. */
export function setSilentUntil(ms: number): void {
  remember(SILENT, String(ms));
  notifyReaders();
}
