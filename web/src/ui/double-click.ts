// A press that opens or closes a dialog puts something else under the pointer. Whoever presses twice out of habit would press that
// too: the second press closed the dialog again, or confirmed what nobody had read.

/** The second press of a double click reaches only what the first one could: the same dialog, or the page below all dialogs. */
export function keepDoubleClick(): void {
  let first: Element | null = null;
  document.addEventListener(
    'click',
    (event) => {
      const dialog = event.target instanceof Element ? event.target.closest('.mantine-Modal-root') : null;
      if (event.detail <= 1) first = dialog;
      else if (dialog !== first) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    { capture: true },
  );
}
