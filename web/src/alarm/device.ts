// What is chosen for this browser alone, in all its tabs: whether the loud alarm may be heard here, and until when it is silent.
import { useSyncExternalStore } from 'react';
import { remember, remembered } from '../remembered.ts';

const ON = 'loud-alarm';
const SILENT = 'loud-alarm-silent-until';
const readers = new Set<() => void>();

const notifyReaders = () => {
  for (const reader of readers) reader();
};

function subscribe(reader: () => void): () => void {
  // Other tabs of this browser are told by their storage event, this one by itself.
  if (readers.size === 0) window.addEventListener('storage', notifyReaders);
  readers.add(reader);
  return () => {
    readers.delete(reader);
    if (readers.size === 0) window.removeEventListener('storage', notifyReaders);
  };
}

/** Whether the loud alarm may be heard in this browser: yes, unless it was switched off. */
export function useLoudAlarm(): boolean {
  return useSyncExternalStore(subscribe, () => remembered(ON) !== 'off');
}

/** Switches the loud alarm of this browser on or off. */
export function setLoudAlarm(on: boolean): void {
  remember(ON, on ? 'on' : 'off');
  notifyReaders();
}

/** Until when this browser is silent, in milliseconds since 1970; 0 when it is not. */
export function useSilentUntil(): number {
  return useSyncExternalStore(subscribe, () => Number(remembered(SILENT)) || 0);
}

/** Has this browser silent until then; 0 ends it. */
export function setSilentUntil(ms: number): void {
  remember(SILENT, String(ms));
  notifyReaders();
}
