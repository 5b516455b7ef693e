// Libraries that most servers never need: each costs a process megabytes once it is loaded.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** Loads a package at its first use, and waits for that; later uses return at once. `Library` is the type of its exports. */
export const whenNeeded =
  <Library>(name: string) =>
  (): Library =>
    load(name);
