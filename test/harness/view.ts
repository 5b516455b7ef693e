// A view of the dashboard that is open, and the person at it, who has a keyboard and no mouse.
import type { Page } from 'playwright-core';
import type { Client } from './client.ts';
import { type Keyboard, keyboardOf } from './keyboard.ts';
import { heading } from './page.ts';
import type { Scene } from './scene.ts';
import { until } from './until.ts';

/** A view that is open, who is at it, and what the interface answers about what they did. */
export type View = Keyboard & {
  page: Page;
  scene: Scene;
  person: Client;
  /** Reads below the organization of the scene; from the root with a leading slash. */
  read: <T>(path: string) => Promise<T>;
  said: (words: string | RegExp) => Promise<void>;
  titled: (title: string | RegExp) => Promise<void>;
};

export function viewOf(page: Page, scene: Scene, person: Client): View {
  return {
    ...keyboardOf(page),
    page,
    scene,
    person,
    read: (path) =>
      person.ok('GET', path.startsWith('/') ? path : `/organizations/${scene.ids.org_id}/${path}`),
    said: (words) => page.getByText(words).first().waitFor(),
    titled: (title) => heading(page, title).waitFor(),
  };
}

export type Named = { name: string };
/** Does what people come to a view for, and checks what came of it. */
export type Act = (view: View) => Promise<void>;

/** Waits until what the interface answers is so: some pages show a change before they have sent it. */
export const comes = <T>({ read }: View, path: string, isSo: (answer: T) => boolean): Promise<void> =>
  until(async () => isSo(await read<T>(path)), `${path} answers what was done in the view`);

/** Waits until a list of the interface has something with this name. */
export const hasName = (view: View, path: string, wanted: string): Promise<void> =>
  comes<Named[]>(view, path, (list) => list.some(({ name }) => name === wanted));
