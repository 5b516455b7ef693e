// One clock for every "3 minutes ago" on the page: a single timer, however many components.
import { useSyncExternalStore } from 'react';

const EVERY_MS = 5_000;
const readers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Math.floor(Date.now() / 1_000);
let day = new Date().toDateString();

function tick(): void {
  now = Math.floor(Date.now() / 1_000);
  day = new Date().toDateString();
  for (const reader of readers) reader();
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  if (timer === undefined) {
    tick();
    timer = setInterval(tick, EVERY_MS);
  }
  return () => {
    readers.delete(reader);
    if (readers.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

const readNow = () => now;
const readDay = () => day;

/** Unix seconds, updated every five seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readNow, readNow);
}

/** The reader's day of the calendar, as a text that is another one after midnight. */
export function useDay(): string {
  return useSyncExternalStore(subscribe, readDay, readDay);
}
