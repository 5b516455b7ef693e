// The doctor's checks of the edges that serve custom domains: whether each answers, has its configuration and listens.
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/config.ts';
import { EdgeFailure, readConfig } from '../edge/caddy-admin.ts';
import { caddyConfig, namesOf } from '../edge/caddy-config.ts';
import { servingAt } from '../edge/loop.ts';
import { servedNames } from '../edge/names.ts';
import { wantedOf } from '../edge/push.ts';
import { edgeSettings } from '../edge/settings.ts';
import { connect } from '../platform/outbound/connect.ts';
import { OutboundFailure } from '../platform/outbound/failures.ts';
import { createResolver } from '../platform/outbound/resolve.ts';
import type { Database } from '../platform/work.ts';
import { type Finding, finding } from './finding.ts';

export type EdgeSettingsGiven = Parameters<typeof edgeSettings>[0] &
  Pick<Config, 'edge' | 'edgeDomain' | 'caddyAdminUrls' | 'baseUrl' | 'port'>;

const WITHIN_MS = 5_000;

/** Nothing where the edge is not Tocsin's (EDGE=none). */
export async function checkEdges(db: Database, config: EdgeSettingsGiven): Promise<Finding[]> {
  if (config.edge === 'none') return [];
  const names = await servedNames(db, config.baseUrl);
  const found = await Promise.all([
    ...config.caddyAdminUrls.map((adminUrl) => checkEdge(adminUrl, config, names)),
    checkEdgeDomain(config.edgeDomain ?? ''),
  ]);
  return found.flat();
}

async function checkEdge(
  adminUrl: string,
  config: EdgeSettingsGiven,
  names: readonly string[],
): Promise<Finding[]> {
  const settings = edgeSettings(config, config.port);
  try {
    const current = await readConfig(adminUrl);
    const wanted = wantedOf(current, caddyConfig(settings, names));
    // With PORT=0 nobody but the server knows where it is asked.
    const isCurrent =
      config.port === 0
        ? isDeepStrictEqual(namesOf(current), namesOf(wanted))
        : isDeepStrictEqual(current, wanted);
    if (!isCurrent) return [finding('warn', 'edge', 'edge_differs', { address: adminUrl })];
  } catch (error) {
    if (!(error instanceof EdgeFailure)) throw error;
    const code = error.reason === 'away' ? 'edge_away' : 'edge_refuses';
    return [finding('fail', 'edge', code, { address: adminUrl, reason: error.message })];
  }
  const { host, port } = servingAt(adminUrl, settings);
  const closed = await Promise.all([checkPort(host, port), checkPort(host, settings.httpPort)]);
  const findings = closed.filter((found) => found !== null);
  if (findings.length > 0) return findings;
  return [finding('ok', 'edge', 'edge_serves', { address: adminUrl, count: names.length })];
}

/** The operator has named the edge: it may be in the operator's own network. */
async function checkPort(host: string, port: number): Promise<Finding | null> {
  try {
    const deadlineAtMs = performance.now() + WITHIN_MS;
    const { socket } = await connect({
      ...{ host, port, deadlineAtMs },
      family: 'auto',
      policy: { allowPrivate: true },
    });
    socket.destroy();
    return null;
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return finding('fail', 'edge', 'edge_port_closed', { host, port, reason: error.message });
  }
}

/** A hint only: this machine may see other names than visitors do. */
async function checkEdgeDomain(domain: string): Promise<Finding> {
  const name = `${randomBytes(6).toString('hex')}.${domain}`;
  const resolver = createResolver({});
  try {
    await resolver(name, 'auto');
    return finding('ok', 'edge', 'edge_domain_resolves', { domain });
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return finding('warn', 'edge', 'edge_domain_unresolved', { domain, reason: error.message });
  } finally {
    resolver.cancel();
  }
}
