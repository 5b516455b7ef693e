// What the configuration says about the edges, as the edge code needs it.
import type { Config } from '#src/config/config.ts';
import { hostPortText } from '#src/platform/host-port.ts';
import type { EdgeSettings } from './caddy-config.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

type Given = Pick<
  Config,
  'host' | 'edgeUpstreams' | 'edgeHttpPort' | 'edgeHttpsPort' | 'edgeCa' | 'edgeAcmeEmail'
>;

/**
 * What the edges are to do (docs/rules/status-pages.md#the-edge); `port` is where this server really listens. An edge asks a
 * server on its own machine: the first of EDGE_UPSTREAMS that is on loopback, or else one on our port.
 */
export function edgeSettings(config: Given, port: number): EdgeSettings {
  const own = hostPortText({ host: LOOPBACK.test(config.host) ? config.host : '127.0.0.1', port });
  const upstreams = config.edgeUpstreams.map((each) =>
    hostPortText({ host: each.host, port: each.port ?? port }),
  );
  const near = config.edgeUpstreams.find(({ host }) => LOOPBACK.test(host));
  const asked = near ? hostPortText({ host: near.host, port: near.port ?? port }) : own;
  return {
    upstreams: upstreams.length > 0 ? [...new Set(upstreams)].sort() : [own],
    askUrl: `http://${asked}/edge/ask`,
    httpPort: config.edgeHttpPort,
    httpsPort: config.edgeHttpsPort,
    authority: config.edgeCa,
    acmeEmail: config.edgeAcmeEmail,
  };
}
