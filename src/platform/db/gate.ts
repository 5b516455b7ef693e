// Keeps work from waiting for a database that does not answer: while it is away, nobody gets a connection.
import type pg from 'pg';

/** The database is away, and the statement was not sent. */
export class DatabaseAway extends Error {
  /** SQLSTATE: connection failure. */
  readonly code = '08006';
  constructor() {
    super('the database does not answer');
    this.name = 'DatabaseAway';
  }
}

export type Gate = {
  /** Cuts every connection, so that waiting queries fail at once, and refuses new ones. */
  close: () => void;
  /** Allows queries again, over new connections. */
  open: () => void;
  /** When the database last answered over these connections, by `performance.now()`. */
  lastDataMs: () => number;
};

type Wire = { connection: { stream: NodeJS.EventEmitter & { destroy: () => void } } };
type Done = (err: Error | undefined, client?: pg.PoolClient, done?: (release?: unknown) => void) => void;

/** Puts an open gate in front of a pool. */
export function gateOf(pool: pg.Pool): Gate {
  const wires = new Set<Wire['connection']['stream']>();
  const waiting = new Set<(away: Error) => void>();
  let away = false;
  let lastDataMs = performance.now();

  pool.on('connect', (client) => {
    const { stream } = (client as unknown as Wire).connection;
    wires.add(stream);
    stream.on('data', () => {
      lastDataMs = performance.now();
    });
    stream.on('close', () => wires.delete(stream));
  });

  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  function admitted(): Promise<pg.PoolClient> {
    if (away) return Promise.reject(new DatabaseAway());
    return new Promise((resolve, reject) => {
      let abandoned = false;
      const refuse = (error: Error) => {
        abandoned = true;
        reject(error);
      };
      waiting.add(refuse);
      connect()
        .then(
          // The caller has given up on it.
          (client) => (abandoned ? client.release(true) : resolve(client)),
          refuse,
        )
        .finally(() => waiting.delete(refuse));
    });
  }
  pool.connect = ((done?: Done) => {
    if (done === undefined) return admitted();
    admitted().then(
      (client) => done(undefined, client, (release) => client.release(release as boolean)),
      (error: Error) => done(error),
    );
    return undefined;
  }) as pg.Pool['connect'];

  return {
    close() {
      away = true;
      for (const refuse of [...waiting]) refuse(new DatabaseAway());
      waiting.clear();
      for (const wire of [...wires]) wire.destroy();
    },
    open() {
      away = false;
    },
    lastDataMs: () => lastDataMs,
  };
}
