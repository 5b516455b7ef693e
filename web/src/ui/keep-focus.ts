// A button that waits for an answer is disabled, and a browser takes the focus away from what is disabled: whoever pressed it
// with a key would be at the top of the page when a refusal comes.
import { isFocusNowhere } from './focus-nowhere.ts';

/** Gives the focus back to a button that was disabled while it had it, unless the reader has gone elsewhere meanwhile. */
export function keepFocus(): void {
  let focused: HTMLButtonElement | null = null;
  let isWaiting = false;
  document.addEventListener('focusin', ({ target }) => {
    focused = target instanceof HTMLButtonElement ? target : null;
    isWaiting = false;
  });
  document.addEventListener('pointerdown', () => {
    focused = null;
  });
  new MutationObserver((changes) => {
    if (focused === null || !changes.some(({ target }) => target === focused)) return;
    if (focused.disabled) isWaiting = true;
    else if (isWaiting) {
      isWaiting = false;
      if (isFocusNowhere()) focused.focus({ preventScroll: true });
    }
  }).observe(document.body, { subtree: true, attributeFilter: ['disabled'] });
}
