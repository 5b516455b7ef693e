// One dedicated connection that LISTENs for this process and reconnects by itself.
import pg from 'pg';
import type { Log } from '../log.ts';

export type Listener = {
  /** Calls `handle` for every payload on a channel, and with null after a reconnect, because some may have been missed. */
  listen: (channel: string, handle: (payload: string | null) => void) => void;
  /** The database's time in milliseconds, read over this connection; rejects while disconnected. */
  askTime: () => Promise<number>;
  /** Drops this connection; a new one is made. */
  drop: () => void;
  stop: () => Promise<void>;
};

const RECONNECT_MS = 500;
/** Time limit of one reconnect attempt. */
const AGAIN_WITHIN_MS = 2_000;

/** Connects as `name` and keeps listening; throws when the first connection fails. */
export async function startListener(
  connection: pg.ClientConfig,
  log: Log,
  name = 'tocsin listen',
): Promise<Listener> {
  const handlers = new Map<string, ((payload: string | null) => void)[]>();
  let stopped = false;
  let retry: NodeJS.Timeout | null = null;
  let connected = true;
  /** The connection that was made last: what becomes of earlier ones no longer matters. */
  let newest: pg.Client | null = null;
  let client = await connect().catch((error: unknown) => {
    giveUp();
    throw error;
  });
  // This connection does not pipeline: one statement at a time.
  let listening: Promise<unknown> = Promise.resolve();

  async function connect(limits: pg.ClientConfig = {}): Promise<pg.Client> {
    const fresh = new pg.Client({ ...connection, ...limits, application_name: name, keepAlive: true });
    newest = fresh;
    fresh.on('error', () => {});
    fresh.on('end', () => {
      if (fresh === newest) lost();
    });
    fresh.on('notification', ({ channel, payload }) => {
      for (const handle of handlers.get(channel) ?? []) handle(payload ?? '');
    });
    try {
      await fresh.connect();
      for (const channel of handlers.keys()) await fresh.query(`LISTEN ${channel}`);
      if (stopped) throw new Error('stopped meanwhile');
      return fresh;
    } catch (error) {
      // A replica that is not promoted yet connects and refuses LISTEN: each attempt would keep one of its connections.
      cut(fresh);
      throw error;
    }
  }

  function giveUp(): void {
    stopped = true;
    if (retry) clearTimeout(retry);
  }

  function lost(): void {
    connected = false;
    if (stopped || retry) return;
    retry = setTimeout(async () => {
      retry = null;
      try {
        client = await connect({
          connectionTimeoutMillis: AGAIN_WITHIN_MS,
          query_timeout: AGAIN_WITHIN_MS,
        });
        connected = true;
        for (const all of handlers.values()) for (const handle of all) handle(null);
      } catch {
        lost();
      }
    }, RECONNECT_MS);
  }

  return {
    listen(channel, handle) {
      const known = handlers.get(channel);
      if (known) known.push(handle);
      else {
        handlers.set(channel, [handle]);
        listening = listening
          .then(() => client.query(`LISTEN ${channel}`))
          .catch((err: unknown) => log.warn({ err, channel }, 'cannot listen for notifications'));
      }
    },
    askTime() {
      const asked = listening.then(async () => {
        if (!connected) throw new Error('not connected to the database');
        const { rows } = await client.query<{ ms: string }>(
          'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms',
        );
        return Number(rows[0]?.ms);
      });
      listening = asked.catch(() => undefined);
      return asked;
    },
    drop: () => cut(client),
    async stop() {
      giveUp();
      await client.end().catch(() => {});
    },
  };
}

/** At once: one that hangs never ends in order. */
function cut(client: pg.Client): void {
  (client as unknown as { connection: pg.Connection }).connection.stream.destroy();
}
