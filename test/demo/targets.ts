// What the organization of the demo watches: little servers of this process, on loopback.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = { status: number; body: string; afterMs: number };
export type DemoTarget = { url: string; port: number; stop: () => Promise<void> };

/** As JSON without `stop`: where they are. */
export type Targets = Record<'website' | 'checkout' | 'api' | 'search', DemoTarget>;

/** A server that answers everything alike. */
export async function startDemoTarget({ status, body, afterMs }: Answer): Promise<DemoTarget> {
  const server = createServer((_request, response) => {
    setTimeout(() => response.writeHead(status, { 'content-type': 'application/json' }).end(body), afterMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, port, stop: () => closed(server) };
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
