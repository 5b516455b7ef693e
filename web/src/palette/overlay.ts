// Whether the palette or the help is open, and whether single-key shortcuts are on in this browser.
import { useSyncExternalStore } from 'react';
import { remember, remembered } from '../remembered.ts';

export type Overlay = 'palette' | 'help' | null;

let shown: Overlay = null;
const readers = new Set<() => void>();

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

function changed(): void {
  for (const reader of readers) reader();
}

/** The element that had the focus before; it gets it back afterwards. */
let before: Element | null = null;

export function show(what: Overlay): void {
  const active = document.activeElement;
  if (what !== null && active?.closest('[aria-modal="true"]') === null) before = active;
  shown = what;
  changed();
  // After the dialog has closed, unless another one has opened.
  requestAnimationFrame(() => {
    if (shown === null && before instanceof HTMLElement) before.focus({ preventScroll: true });
  });
}

export const currentOverlay = (): Overlay => shown;
export const useOpenOverlay = (): Overlay => useSyncExternalStore(subscribe, currentOverlay);

/** Speech input may press single keys by accident, so they can be turned off (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => remembered('shortcuts') !== 'off';

export function enableShortcuts(on: boolean): void {
  remember('shortcuts', on ? 'on' : 'off');
  changed();
}

export const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, areShortcutsOn);

/** The modifier for the palette: ⌘ on a Mac, where Ctrl+K cuts a line, and Ctrl elsewhere. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
