// The asker of a query: the tenant whose request the running code serves, or the system.
import { AsyncLocalStorage } from 'node:async_hooks';

/** The tenant whose share of this server is used: an organization, a person, or an address before either is known. */
export type Tenant = {
  id: string;
  /** All tenants of one owner, an organization's first owner, share the slots of one tenant. null: it has no owner. */
  owner: string | null;
};

export type Asker = {
  /** null: the system. Also null once the answer is sent. */
  tenant: Tenant | null;
  /** The block of addresses that the request came from; kept until all work for the request has ended. */
  address?: string;
  /** E-mail address of a signed-in person, or of one who signs in from a known address. */
  person?: string;
};

const asking = new AsyncLocalStorage<Asker>();
const SYSTEM: Asker = { tenant: null };

/** Runs `act`, and everything it starts, for `asker`. The asker's tenant may change while it runs. */
export const askingFor = <T>(asker: Asker, act: () => T): T => asking.run(asker, act);

/** Runs `act`, and everything it starts, for the system. */
export const askingAsSystem = <T>(act: () => T): T => asking.run(SYSTEM, act);

/** The asker of the running code. */
export const currentAsker = (): Asker => asking.getStore() ?? SYSTEM;
