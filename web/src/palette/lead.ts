// Leads to a control of a page, for lines of the palette whose action begins on that page.

/** A page whose control has not appeared by then does not have it. */
const GIVE_UP_MS = 5_000;
const FOCUSABLE = 'input, button, select, textarea, a[href], [tabindex="0"]';

const nextFrame = () => new Promise((resume) => requestAnimationFrame(resume));

/** Password managers need fields that nobody sees. */
const isUsable = (control: HTMLElement): boolean =>
  control.checkVisibility() && control.tabIndex >= 0 && !control.matches(':disabled');

function find(name: string): HTMLElement | undefined {
  const place = document.querySelector<HTMLElement>(`[data-lead="${name}"]`);
  if (place === null) return undefined;
  return [place, ...place.querySelectorAll<HTMLElement>(FOCUSABLE)].find(
    (control) => control.matches(FOCUSABLE) && isUsable(control),
  );
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
  if (control === undefined) return;
  control.focus({ preventScroll: true });
  control.scrollIntoView({ block: 'center' });
  if (press) control.click();
}

function appeared(name: string): Promise<HTMLElement | undefined> {
  return new Promise((resolve) => {
    const end = (control?: HTMLElement) => {
      observer.disconnect();
      clearTimeout(timer);
      for (const event of ['keydown', 'pointerdown']) window.removeEventListener(event, stop, true);
      resolve(control);
    };
    const stop = () => end();
    const observer = new MutationObserver(() => {
      const control = find(name);
      if (control !== undefined) end(control);
    });
    const timer = setTimeout(stop, GIVE_UP_MS);
    for (const event of ['keydown', 'pointerdown']) window.addEventListener(event, stop, true);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  });
}
