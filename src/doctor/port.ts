// The doctor's checks of the way to the server: its own port, and BASE_URL.
import { OutboundFailure } from '../platform/outbound/failures.ts';
import { type OutboundReply, request } from '../platform/outbound/request.ts';
import { type Finding, finding } from './finding.ts';

const WITHIN_MS = 5_000;

/** Whether a Tocsin server answers at the port. */
export async function checkPort(host: string, port: number): Promise<Finding> {
  if (port === 0) return finding('ok', 'port', 'port_any');
  const named = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const address = `${named.includes(':') ? `[${named}]` : named}:${port}`;
  const reply = await get(`http://${address}/readyz`);
  if (reply instanceof OutboundFailure) {
    const [state, code] =
      reply.layer === 'target_http'
        ? (['fail', 'port_no_http'] as const)
        : (['warn', 'port_silent'] as const);
    return finding(state, 'port', code, { address, reason: reply.message });
  }
  if (reply.status === 200) return finding('ok', 'port', 'port_serves', { address });
  if (reply.status === 503)
    return finding('fail', 'port', 'port_not_ready', { address, reason: reply.bodyText.slice(0, 200) });
  return finding('fail', 'port', 'port_foreign', { address, status: reply.status });
}

/** Whether a Tocsin server answers at BASE_URL, as far as this machine can see. */
export async function checkBaseUrl(baseUrl: string): Promise<Finding> {
  const reply = await get(`${baseUrl}/healthz`);
  if (reply instanceof OutboundFailure)
    return finding('warn', 'proxy', 'base_url_unreached', { reason: reply.message });
  if (reply.status === 200 && isHealth(reply.bodyText)) return finding('ok', 'proxy', 'base_url_serves');
  return finding('fail', 'proxy', 'base_url_elsewhere', { reason: `HTTP ${reply.status}` });
}

function isHealth(text: string): boolean {
  try {
    const said = JSON.parse(text) as { ok?: unknown; version?: unknown } | null;
    return said?.ok === true && typeof said.version === 'string';
  } catch {
    return false;
  }
}

/** The operator has named these addresses: they may be in the operator's own network. */
async function get(url: string): Promise<OutboundReply | OutboundFailure> {
  try {
    return await request({
      url,
      method: 'GET',
      headers: {},
      policy: { allowPrivate: true },
      timeoutMs: WITHIN_MS,
    });
  } catch (error) {
    if (error instanceof OutboundFailure) return error;
    throw error;
  }
}
