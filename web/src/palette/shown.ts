// What of palette and help is open, wherever it is opened from; and whether single keys are shortcuts in this browser.
import { useSyncExternalStore } from 'react';
import { remember, remembered } from '../remembered.ts';

export type Shown = 'palette' | 'help' | null;

let shown: Shown = null;
const readers = new Set<() => void>();

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

function changed(): void {
  for (const reader of readers) reader();
}

/** What had the focus before something was opened: it has it again afterwards. */
let before: Element | null = null;

export function show(what: Shown): void {
  const active = document.activeElement;
  if (what !== null && active?.closest('[aria-modal="true"]') === null) before = active;
  shown = what;
  changed();
  // Once the dialog is gone, and where no other has taken its place.
  requestAnimationFrame(() => {
    if (shown === null && before instanceof HTMLElement) before.focus({ preventScroll: true });
  });
}

export const nowShown = (): Shown => shown;
export const useShown = (): Shown => useSyncExternalStore(subscribe, nowShown);

/** Whoever speaks to their computer may press single keys without meaning to: they can be turned off (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => remembered('shortcuts') !== 'off';

export function turnShortcuts(on: boolean): void {
  remember('shortcuts', on ? 'on' : 'off');
  changed();
}

export const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, areShortcutsOn);

/** The key that opens the palette is held with ⌘ on a Mac, where Ctrl+K cuts a line, and with Ctrl elsewhere. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
