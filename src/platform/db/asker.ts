// For whom the code that runs right now asks the database: the tenant whose request it serves, or the system itself.
import { AsyncLocalStorage } from 'node:async_hooks';

/** `tenant` is an organization, a person, or an address before either is known; null is the system. */
export type Asker = { tenant: string | null };

const asking = new AsyncLocalStorage<Asker>();
const SYSTEM: Asker = { tenant: null };

/** Runs `act`, and everything it begins, for `asker`; whose tenant may become known, or be over, meanwhile. */
export const askingFor = <T>(asker: Asker, act: () => T): T => asking.run(asker, act);

/** Runs `act`, and everything it begins, for the system. */
export const askingAsSystem = <T>(act: () => T): T => asking.run(SYSTEM, act);

/** For whom connections are asked for right now. */
export const currentAsker = (): Asker => asking.getStore() ?? SYSTEM;
