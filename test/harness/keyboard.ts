// A person at a page who has no mouse: Tab to what is wanted, then keys.
import type { Page } from 'playwright-core';
import { until } from './until.ts';

type Role = 'link' | 'button' | 'textbox' | 'searchbox' | 'switch' | 'checkbox' | 'radio' | 'combobox';
/** Where it is looked for; a dialog keeps the focus within itself. */
type Place = 'main' | 'dialog';
/** What is asked of an element of the page: the tests are compiled without the types of a browser. */
type Element = { isConnected: boolean; matches: (selector: string) => boolean };
/** More elements than any view has on the way to one. */
const MAX_TABS = 120;

export type Keyboard = ReturnType<typeof keyboardOf>;

export function keyboardOf(page: Page) {
  /** Presses Tab until the first element with this role and name has the focus. Throws where Tab does not lead there. */
  async function to(role: Role, name: string | RegExp, place: Place = 'main'): Promise<void> {
    const wanted = page
      .getByRole(place)
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first();
    // A button that still waits for an answer takes no focus, and would be passed.
    await until(() => wanted.isEnabled(), `the ${role} ${name} is ready`);
    // Finding it by its name costs more than a step, so it is found once, and again where the page has replaced it.
    let found = await wanted.elementHandle();
    for (let i = 0; i < MAX_TABS; i++) {
      const state = await found?.evaluate((element) => {
        const { isConnected, matches } = element as Element;
        return isConnected ? matches.call(element, ':focus') : null;
      });
      if (state) return;
      if (state === false) await page.keyboard.press('Tab');
      else found = await wanted.elementHandle();
    }
    throw new Error(`Tab does not lead to the ${role} ${name} on ${page.url()}`);
  }

  /** Presses keys one after the other: `ArrowDown`, `Enter`. */
  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key);
  }

  return {
    to,
    press,
    async enter(role: Role, name: string | RegExp, place?: Place): Promise<void> {
      await to(role, name, place);
      await press('Enter');
    },
    /** Types a text in place of what a field has; a line break at its end is Enter. */
    async write(field: string | RegExp, text: string, place?: Place): Promise<void> {
      await to('textbox', field, place);
      await press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
  };
}
