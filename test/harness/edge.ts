// An installation with an edge: people and pages as in every test, and servers as in production, by the database's clock, which
// configure real Caddies.
import type { TestContext } from 'node:test';
import { realClock, startNode, startTestApp, type TestApp } from './app.ts';
import { type Caddy, edgePorts, type Ports, startCaddy } from './caddy.ts';
import { closedPort } from './listeners.ts';
import { until } from './until.ts';

export type Edge = {
  app: TestApp;
  caddy: Caddy;
  /** The serving Caddy, and others that are configured with it: each gets a share of the connections. */
  ports: Ports;
  /** The configuration of the servers: for commands of the same installation. */
  env: Record<string, string>;
  /** A visitor who trusts the authority of the Caddy. */
  visitors: (path?: string) => Promise<{ port: number; ca: string; path: string }>;
  /** The stored state of a domain. */
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
    ...given
  }: {
    servers?: number;
    env?: Record<string, string>;
    /** Of further edges. */
    adminUrls?: readonly string[];
    /** A running Caddy, and the address at which the servers reach it. */
    caddy?: Caddy;
    adminUrl?: string;
  } = {},
): Promise<Edge> {
  const stack = new AsyncDisposableStack();
  t.after(() => stack.disposeAsync());
  const caddy = given.caddy ?? (await startCaddy(t));
  const ports = await edgePorts();
  const app = stack.use(await startTestApp({ clock: realClock }));
  const atPorts = await Promise.all(Array.from({ length: servers }, closedPort));
  const nodes: AsyncDisposableStack[] = [];
  const all = {
    ...{ EDGE: 'caddy', EDGE_DOMAIN: 'edge.example.test', EDGE_CA: 'internal' },
    ...{ EDGE_HTTP_PORT: String(ports.http), EDGE_HTTPS_PORT: String(ports.https) },
    EDGE_UPSTREAMS: atPorts.map((each) => `127.0.0.1:${each}`).join(','),
    CADDY_ADMIN_URL: [given.adminUrl ?? caddy.adminUrl, ...adminUrls].join(','),
    ...env,
  };
  for (const port of atPorts) {
    const node = stack.use(new AsyncDisposableStack());
    nodes.push(node);
    const own = { ...all, PORT: String(port) };
    await startNode(node, app.databaseUrl, { elapsedMs: () => performance.now() }, own);
  }
  return {
    ...{ app, caddy, ports },
    env: { ...all, PORT: String(atPorts[0]) },
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
