// Leads to a control of a page, for lines of the palette whose action begins on that page.

/** A page whose control has not appeared by then does not have it. */
const GIVE_UP_MS = 5_000;
const FOCUSABLE = 'input, button, select, textarea, a[href], [tabindex="0"]';

const nextFrame = () => new Promise((resume) => requestAnimationFrame(resume));

function find(name: string): HTMLElement | null {
  const place = document.querySelector<HTMLElement>(`[data-lead="${name}"]`);
  if (place === null || !place.checkVisibility()) return null;
  const control = place.matches(FOCUSABLE) ? place : place.querySelector<HTMLElement>(FOCUSABLE);
  return control?.matches(':disabled') ? null : control;
}

/**
 * Focuses the control that is marked with `data-lead`, or that contains it, as soon as the page shows it; `press` presses it
 * too. Gives up when the person does something else meanwhile.
 */
export async function leadTo(name: string, press = false): Promise<void> {
  // The closing palette gives the focus back first.
  await nextFrame();
  await nextFrame();
  const control = find(name) ?? (await appeared(name));
  if (control === null) return;
  control.focus({ preventScroll: true });
  control.scrollIntoView({ block: 'center' });
  if (press) control.click();
}

function appeared(name: string): Promise<HTMLElement | null> {
  return new Promise((resolve) => {
    const end = (control: HTMLElement | null) => {
      observer.disconnect();
      clearTimeout(timer);
      for (const event of ['keydown', 'pointerdown']) window.removeEventListener(event, stop, true);
      resolve(control);
    };
    const stop = () => end(null);
    const observer = new MutationObserver(() => {
      const control = find(name);
      if (control !== null) end(control);
    });
    const timer = setTimeout(stop, GIVE_UP_MS);
    for (const event of ['keydown', 'pointerdown']) window.addEventListener(event, stop, true);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  });
}
