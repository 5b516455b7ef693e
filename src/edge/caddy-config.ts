// The whole configuration of an edge, in Caddy's own JSON (2.6 and later). Pure: the same names give the same configuration on
// every server, so that two servers on one edge agree.
import type { CertificateAuthority } from '#src/config/parsers.ts';

/** Settings shared by all edges of the installation. */
export type EdgeSettings = Readonly<{
  /** `host:port` of every server that the edges pass requests to. */
  upstreams: readonly string[];
  /** Where an edge asks whether it may order a certificate. */
  askUrl: string;
  httpPort: number;
  httpsPort: number;
  authority: CertificateAuthority;
  acmeEmail: string | null;
}>;

type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json };
export type CaddyConfig = { readonly [name: string]: Json };

/** How long a request is retried while no server accepts connections (a restart or an update). */
const TRY_AGAIN_FOR = '5s';
/** How long a server that did not answer is skipped while there are others. */
const LEFT_OUT_FOR = '10s';
/** Running requests get this long when an edge or an earlier configuration ends. */
const GRACE = '1m';
/** Below the server's own (72 s), so that no connection is reused while the server closes it. */
const KEPT_ALIVE_FOR = '60s';

const NOT_SERVED = {
  handler: 'static_response',
  status_code: 404,
  body: 'Nothing is served under this name.\n',
};

/** The configuration that serves exactly these names, which are host names in lower case. */
export function caddyConfig(settings: EdgeSettings, names: readonly string[]): CaddyConfig {
  const { httpPort, httpsPort, authority, askUrl } = settings;
  const served = [...new Set(names)].sort();
  const isInternal = authority === 'internal';
  return {
    apps: {
      http: {
        ...{ http_port: httpPort, https_port: httpsPort, grace_period: GRACE },
        servers: { https: httpsServer(settings, served), http: httpServer(settings, served) },
      },
      tls: { automation: { on_demand: { ask: askUrl }, policies: policies(settings, served) } },
      // Otherwise Caddy makes its own authority a trusted root of the machine.
      ...(isInternal ? { pki: { certificate_authorities: { local: { install_trust: false } } } } : {}),
    },
  };
}

/** The names that an edge's configuration serves, whoever made it. */
export function namesOf(config: unknown): ReadonlySet<string> {
  const servers = (config as { apps?: { http?: { servers?: { https?: Served } } } } | null)?.apps?.http
    ?.servers;
  const policies = servers?.https?.tls_connection_policies;
  const names = Array.isArray(policies) ? policies.flatMap(({ match }) => match?.sni ?? []) : [];
  return new Set(names.filter((name) => typeof name === 'string'));
}

type Served = { tls_connection_policies?: { match?: { sni?: unknown[] } }[] };

function httpsServer(settings: EdgeSettings, names: readonly string[]): Json {
  return {
    listen: [`:${settings.httpsPort}`],
    protocols: ['h1', 'h2', 'h3'],
    // No automatic certificates or redirects.
    automatic_https: { disable: true },
    // A name that is not ours ends in the handshake, and so does an address.
    tls_connection_policies: [{ match: { sni: names } }],
    routes: [...forNames(names, toServers(settings)), { handle: [NOT_SERVED] }],
  };
}

/** Caddy answers challenges of the authority before any route. */
function httpServer({ httpPort, httpsPort }: EdgeSettings, names: readonly string[]): Json {
  const port = httpsPort === 443 ? '' : `:${httpsPort}`;
  const toHttps = {
    ...{ handler: 'static_response', status_code: 308 },
    headers: { Location: [`https://{http.request.host}${port}{http.request.uri}`] },
  };
  return {
    listen: [`:${httpPort}`],
    protocols: ['h1'],
    automatic_https: { disable: true },
    routes: [...forNames(names, toHttps), { handle: [NOT_SERVED] }],
  };
}

/** A route for these names, with and without a trailing dot; none without names. */
function forNames(names: readonly string[], handler: Json): Json[] {
  if (names.length === 0) return [];
  const host = names.flatMap((name) => [name, `${name}.`]);
  return [{ match: [{ host }], handle: [handler], terminal: true }];
}

function toServers({ upstreams }: EdgeSettings): Json {
  return {
    handler: 'reverse_proxy',
    upstreams: upstreams.map((dial) => ({ dial })),
    // Passes live streams on without buffering.
    flush_interval: -1,
    load_balancing: {
      ...{ selection_policy: { policy: 'least_conn' } },
      ...{ try_duration: TRY_AGAIN_FOR, try_interval: '250ms' },
    },
    // A single server is retried until it is back.
    ...(upstreams.length > 1
      ? { health_checks: { passive: { fail_duration: LEFT_OUT_FOR, max_fails: 1 } } }
      : {}),
    transport: { protocol: 'http', dial_timeout: '3s', keep_alive: { idle_timeout: KEPT_ALIVE_FOR } },
  };
}

/** A policy without names would apply to all names. */
function policies(settings: EdgeSettings, names: readonly string[]): Json[] {
  if (names.length === 0) return [];
  const issuer = issuerOf(settings);
  return [{ subjects: names, on_demand: true, ...(issuer === null ? {} : { issuers: [issuer] }) }];
}

/** null: Caddy's own choice, which is Let's Encrypt, and ZeroSSL where that fails. */
function issuerOf({ authority, acmeEmail }: EdgeSettings): Json | null {
  if (authority === 'internal') return { module: 'internal' };
  if (authority === 'public' && acmeEmail === null) return null;
  return {
    module: 'acme',
    ...(authority === 'public' ? {} : { ca: authority }),
    ...(acmeEmail === null ? {} : { email: acmeEmail }),
  };
}
