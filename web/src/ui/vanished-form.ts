// A form with unsaved changes vanishes together with what it changes, when that is deleted elsewhere: what is shown in its place
// says so.

let vanished = false;

/** A form with unsaved changes is taken off the page that stays open. */
export function noteVanished(): void {
  vanished = true;
  // What replaces it is shown in the same step of React.
  queueMicrotask(() => {
    vanished = false;
  });
}

export const hasJustVanished = (): boolean => vanished;
