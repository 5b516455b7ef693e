/** Whether nothing has the focus: what had it is gone, or disabled. */
export const isFocusNowhere = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

/** Moves the focus to the content of the page, without a jump. */
export const focusContent = (): void => document.getElementById('content')?.focus({ preventScroll: true });
