// For whom the code that runs right now asks the database: the tenant whose request it serves, or the system itself.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Whose share of this server is used: an organization, a person, or an address before either is known. */
export type Tenant = {
  id: string;
  /** Whose tenants together get what one gets: an organization's first owner. null: it belongs to nobody else. */
  owner: string | null;
};

export type Asker = {
  /** null: the system, also once the answer is sent. */
  tenant: Tenant | null;
  /** Where the request came from, a block of addresses, as long as anything works for it. */
  address?: string;
  /** The e-mail address of somebody signed in, or who signs in from where they did before. */
  person?: string;
};

const asking = new AsyncLocalStorage<Asker>();
const SYSTEM: Asker = { tenant: null };

/** Runs `act`, and everything it begins, for `asker`; whose tenant may become known, or be over, meanwhile. */
export const askingFor = <T>(asker: Asker, act: () => T): T => asking.run(asker, act);

/** Runs `act`, and everything it begins, for the system. */
export const askingAsSystem = <T>(act: () => T): T => asking.run(SYSTEM, act);

/** For whom connections are asked for right now. */
export const currentAsker = (): Asker => asking.getStore() ?? SYSTEM;
