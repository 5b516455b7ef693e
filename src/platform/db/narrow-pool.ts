// Limits the pool connections of a library that would open all of them at the same moment: each open connection costs the
// database megabytes for as long as it is used from time to time.
import type pg from 'pg';

type Done = (error: Error | undefined, client?: pg.PoolClient, release?: (error?: Error) => void) => void;

/** The same pool, with at most `most` connections in use at a time; a further request waits. */
export function narrowed(pool: pg.Pool, most: number): pg.Pool {
  const waiting: (() => void)[] = [];
  let free = most;
  const turn = () => {
    if (free === 0) return new Promise<void>((go) => waiting.push(go));
    free--;
    return Promise.resolve();
  };
  const over = () => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };

  async function connected(): Promise<pg.PoolClient> {
    await turn();
    try {
      const client = await pool.connect();
      const { release } = client;
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

  function connect(done?: Done): Promise<pg.PoolClient> | undefined {
    if (!done) return connected();
    connected().then(
      (client) => done(undefined, client, (error) => client.release(error)),
      (error: Error) => done(error),
    );
    return undefined;
  }
  return new Proxy(pool, { get: (of, name) => (name === 'connect' ? connect : Reflect.get(of, name, of)) });
}
