// Libraries that most servers never need: each takes megabytes of a process that has loaded it.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** Loads a package with its first use, and waits for that; at once from then on. `Library` is what the package exports. */
export const whenNeeded =
  <Library>(name: string) =>
  (): Library =>
    load(name);
