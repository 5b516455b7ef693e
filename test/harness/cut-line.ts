// A line to the database that a test can cut and mend, without touching the database itself.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type CutLine = {
  /** The same database, over this line. */
  urlThrough: (databaseUrl: string) => string;
  /** Breaks every connection and accepts no new one. */
  cut: () => Promise<void>;
  mend: () => Promise<void>;
  /**
   * Silently drops all further data of the current connections; new connections work. Affects only those whose application name
   * begins with the prefix, if one is given.
   */
  swallow: (name: string) => number;
  stop: () => Promise<void>;
};

/** Starts the line on a free port of this machine. */
export async function startCutLine(): Promise<CutLine> {
  const sockets = new Set<Socket>();
  const pairs = new Set<{ near: Socket; far: Socket; said: string }>();
  let behind: { path: string } | { port: number; host: string } = { path: '' };
  const server = createServer((near) => {
    const far = connect(behind);
    const pair = { near, far, said: '' };
    pairs.add(pair);
    near.once('data', (first) => {
      pair.said = first.toString('latin1');
    });
    near.on('close', () => pairs.delete(pair));
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = async () => {
    const closed = close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    urlThrough(databaseUrl) {
      const match = /^postgres:\/\/([^@]+)@([^:/]+)(?::(\d+))?\/(.+)$/.exec(databaseUrl);
      if (!match) throw new Error(`not a URL of the test cluster: ${databaseUrl}`);
      const [, user, host = '', at, database] = match;
      const place = decodeURIComponent(host);
      behind = place.startsWith('/') ? { path: `${place}/.s.PGSQL.5432` } : { host: place, port: Number(at) };
      return `postgres://${user}@127.0.0.1:${port}/${database}`;
    },
    cut,
    mend: () => listen(port),
    swallow(name) {
      const those = [...pairs].filter(({ said }) => said.includes(`application_name\0${name}`));
      for (const { near, far } of those) for (const socket of [near, far]) socket.unpipe().pause();
      return those.length;
    },
    stop: cut,
  };
}
