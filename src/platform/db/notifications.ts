// One dedicated connection that LISTENs for this process; it comes back by itself when the database was away.
import pg from 'pg';
import type { Log } from '../log.ts';

export type Notifications = {
  /** Calls `hear` for every payload on a channel, and once with null after a reconnect, when some may have been missed. */
  listen: (channel: string, hear: (payload: string | null) => void) => void;
  stop: () => Promise<void>;
};

const RECONNECT_MS = 500;

/** Connects as `name` and keeps listening; throws when the first connection fails. */
export async function startNotifications(
  connection: pg.ClientConfig,
  log: Log,
  name = 'tocsin listen',
): Promise<Notifications> {
  const hearers = new Map<string, ((payload: string | null) => void)[]>();
  let stopped = false;
  let client = await connect();
  let retry: NodeJS.Timeout | null = null;
  // One statement after the other: this connection is not one that pipelines.
  let listening: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({ ...connection, application_name: name, keepAlive: true });
    fresh.on('error', () => {});
    fresh.on('end', () => lost());
    fresh.on('notification', ({ channel, payload }) => {
      for (const hear of hearers.get(channel) ?? []) hear(payload ?? '');
    });
    await fresh.connect();
    for (const channel of hearers.keys()) await fresh.query(`LISTEN ${channel}`);
    return fresh;
  }

  function lost(): void {
    if (stopped || retry) return;
    retry = setTimeout(async () => {
      retry = null;
      try {
        client = await connect();
        for (const all of hearers.values()) for (const hear of all) hear(null);
      } catch {
        lost();
      }
    }, RECONNECT_MS);
  }

  return {
    listen(channel, hear) {
      const known = hearers.get(channel);
      if (known) known.push(hear);
      else {
        hearers.set(channel, [hear]);
        listening = listening
          .then(() => client.query(`LISTEN ${channel}`))
          .catch((err: unknown) => log.warn({ err, channel }, 'cannot listen'));
      }
    },
    async stop() {
      stopped = true;
      if (retry) clearTimeout(retry);
      await client.end().catch(() => {});
    },
  };
}
