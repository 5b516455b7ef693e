// Shares a pool's connections fairly among tenants: a tenant that asks for a hundred at once waits, and the others do not.
import pg from 'pg';
import { FairQueue, type Ticket } from '#src/domain/fair-queue.ts';
import { refuse } from '../refusals.ts';
import { currentAsker, type Tenant } from './asker.ts';

/** Reserved for the system: probe results, deliveries, jobs. */
const RESERVED = 2;
/** The most waiting requests of one tenant; more are refused. */
const MAX_WAITING = 100;
/** The same wait as for an exhausted pool. */
const WAIT_MS = 10_000;

type Turn = () => void;
type Done = (error: Error | undefined, client?: pg.PoolClient, release?: (error?: Error) => void) => void;

/**
 * Requests for a tenant (`askingFor`) wait for their turn. One tenant, or all tenants of one owner together, get at most
 * half of the connections, and one is always left for a tenant that has none. Requests of the system, and those inside a
 * transaction, which already holds a connection, do not wait.
 * Refuses `rate_limited` if too many requests of a tenant wait, and fails like an exhausted pool after 10 s.
 */
export class FairPool extends pg.Pool {
  readonly #turns: FairQueue<Turn>;

  constructor(config: pg.PoolConfig & { max: number }) {
    super(config);
    this.#turns = new FairQueue({ slots: Math.max(1, config.max - RESERVED), maxHeldPerFree: 1 });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(done: Done): void;
  override connect(done?: Done): Promise<pg.PoolClient> | undefined {
    const { tenant } = currentAsker();
    if (tenant === null) return super.connect(done as never) as never;
    const connected = this.#connectInTurn(tenant);
    if (!done) return connected;
    connected.then(
      (client) => done(undefined, client, (error) => client.release(error)),
      (error: Error) => done(error, undefined, () => undefined),
    );
    return undefined;
  }

  async #connectInTurn(tenant: Tenant): Promise<pg.PoolClient> {
    const ticket = await this.#turnOf(tenant);
    const since = performance.now();
    const over = () => {
      this.#turns.release(ticket, performance.now() - since);
      this.#callNext();
    };
    try {
      const client = await super.connect();
      const release = client.release;
      client.release = (error?: Error | boolean) => {
        release.call(client, error);
        over();
      };
      return client;
    } catch (error) {
      over();
      throw error;
    }
  }

  #turnOf(tenant: Tenant): Promise<Ticket<Turn>> {
    if (this.#turns.waitingOf(tenant.id) >= MAX_WAITING)
      refuse('rate_limited', 'Too many of your requests are in progress; wait for their answers.', {
        retryAfterSeconds: 1,
      });
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        if (this.#turns.cancel(ticket)) reject(new Error('timeout exceeded when trying to connect'));
      }, WAIT_MS);
      const call = () => {
        clearTimeout(late);
        resolve(ticket);
      };
      const ticket = this.#turns.enqueue(tenant.id, call, tenant.owner);
      this.#callNext();
    });
  }

  #callNext(): void {
    for (let next = this.#turns.take(); next; next = this.#turns.take()) next.item();
  }
}
