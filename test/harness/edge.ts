// An installation with an edge: people and pages as in every test, and beside them servers as in life, by the database's clock,
// which configure real Caddies.
import type { TestContext } from 'node:test';
import { realClock, startNode, startTestApp, type TestApp } from './app.ts';
import { type Caddy, edgePorts, type Ports, startCaddy } from './caddy.ts';
import { closedPort } from './listeners.ts';
import { until } from './until.ts';

export type Edge = {
  app: TestApp;
  /** All of them serve at the same ports: start a second one where the first is dead, or ask its admin API alone. */
  caddy: Caddy;
  ports: Ports;
  /** The certificate of the authority of the Caddy, once there is one. */
  visitors: (path?: string) => Promise<{ port: number; ca: string; path: string }>;
  /** What is stored of a domain. */
  row: (
    id: string,
  ) => Promise<{ edge_synced: boolean; cert_status: string | null; cert_error: string | null }>;
  /** Ends one of the servers. */
  stopServer: (index: number) => Promise<void>;
};

/** Starts a Caddy, and `servers` servers on one database that configure it and the others of `adminUrls`. */
export async function startEdgeInstallation(
  t: TestContext,
  {
    servers = 1,
    env = {},
    adminUrls = [],
  }: { servers?: number; env?: Record<string, string>; adminUrls?: readonly string[] } = {},
): Promise<Edge> {
  const stack = new AsyncDisposableStack();
  t.after(() => stack.disposeAsync());
  const caddy = await startCaddy(t);
  const ports = await edgePorts();
  const app = stack.use(await startTestApp({ clock: realClock }));
  const own = await Promise.all(Array.from({ length: servers }, closedPort));
  const nodes: AsyncDisposableStack[] = [];
  for (const port of own) {
    const node = stack.use(new AsyncDisposableStack());
    nodes.push(node);
    const given = {
      ...{ EDGE: 'caddy', EDGE_DOMAIN: 'edge.example.test', EDGE_CA: 'internal', PORT: String(port) },
      ...{ EDGE_HTTP_PORT: String(ports.http), EDGE_HTTPS_PORT: String(ports.https) },
      EDGE_UPSTREAMS: own.map((each) => `127.0.0.1:${each}`).join(','),
      CADDY_ADMIN_URL: [caddy.adminUrl, ...adminUrls].join(','),
      ...env,
    };
    await startNode(node, app.databaseUrl, { elapsedMs: () => performance.now() }, given);
  }
  return {
    ...{ app, caddy, ports },
    visitors: async (path = '/') => ({ port: ports.https, ca: await caddy.rootPem(), path }),
    row: (id) =>
      app.db
        .selectFrom('status_page_domains')
        .select(['edge_synced', 'cert_status', 'cert_error'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    stopServer: async (index) => nodes[index]?.disposeAsync(),
  };
}

/** Waits until a domain is on the edge, with its certificate. */
export const served = ({ row }: Edge, id: string): Promise<void> =>
  until(async () => {
    const { edge_synced, cert_status } = await row(id);
    return edge_synced && cert_status === 'issued';
  }, 'the domain is on the edge and has its certificate');
