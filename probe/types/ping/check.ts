import type { Check, Finding } from '#probe/check-outcome.ts';
import type { PingConfig } from '#src/monitors/types/ping/config.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import type { Address } from '#src/platform/outbound/resolve.ts';
import { resolveVetted } from '#src/platform/outbound/vetted.ts';
import { plainHost } from '../host.ts';
import { runCheck } from '../run-check.ts';
import { runPing } from './command.ts';
import { pingStatistics, routerWords } from './output.ts';

/**
 * Sends echo requests (docs/rules/monitor-types.md#ping): latency is the average round trip, the metric the share of lost
 * packets in percent. A probe that cannot send ICMP reports `ping_unavailable`, a probe fault, and never that the target is
 * down.
 */
export const ping: Check<PingConfig> = (config, context) =>
  runCheck(config, context, 'target_connect', async (running) => {
    const { policy, resolver, deadlineAtMs, signal } = running;
    running.measured.latencyMs = null;
    const host = plainHost(config.host);
    const [target] = await resolveVetted(
      { host, family: config.ip_family, policy, resolver, deadlineAtMs, signal },
      running.timings,
    );
    const { address } = target as Address;
    const { output, errors, intervalMs } = await runPing(target as Address, config.count, {
      deadlineAtMs,
      signal,
    });
    const statistics = pingStatistics(output);
    if (statistics === null || statistics.sent === 0)
      throw probeError(`said nothing that can be read: ${output.trim() === '' ? errors : output}`);

    const { sent, received } = statistics;
    // Fewer than half of the packets that there was time for: this machine was too busy to judge the target.
    const leastSent = Math.min(config.count, Math.ceil(config.timeout_ms / intervalMs / 2));
    if (received === 0 && sent < leastSent)
      throw probeError(`came to send ${sent} of ${config.count} packets only`);
    const lossPct = (Math.max(0, sent - received) / sent) * 100;
    running.measured.metricValue = Math.round(lossPct * 100) / 100;
    if (statistics.averageMs !== null) running.measured.latencyMs = statistics.averageMs;
    const who = host === address ? host : `${host} (${address})`;
    running.judge(
      'Packet loss',
      { expected: `at most ${config.max_loss_pct} %`, actual: `${percent(lossPct)} of ${sent}` },
      lossFinding(config, { who, sent, received, lossPct, routers: routerWords(output) }),
    );
  });

type Loss = { who: string; sent: number; received: number; lossPct: number; routers: string | undefined };

function lossFinding(config: PingConfig, loss: Loss): Finding | undefined {
  const { who, sent, received, lossPct, routers } = loss;
  const layer = 'target_connect';
  const said = routers === undefined ? '' : ` (${routers})`;
  if (lossPct > config.max_loss_pct) {
    if (received > 0)
      return {
        failureClass: 'packet_loss',
        layer,
        detail: `${who} answered ${received} of ${sent} pings, ${percent(lossPct)} lost; at most ${config.max_loss_pct} % are allowed${said}`,
      };
    return routers === undefined
      ? { failureClass: 'no_answer', layer, detail: `${who} answered none of ${sent} pings` }
      : { failureClass: 'connect_unreachable', layer, detail: `No way to ${who}${said}` };
  }
  // A threshold of 0 still needs a lost packet, or every check would be degraded.
  if (lossPct === 0 || lossPct < config.degraded_loss_pct) return undefined;
  return {
    failureClass: 'packet_loss',
    layer,
    detail: `${who} answered ${received} of ${sent} pings, ${percent(lossPct)} lost; degraded from ${config.degraded_loss_pct} %`,
    status: 'degraded',
  };
}

const probeError = (what: string) =>
  new OutboundFailure('probe_error', 'probe', `The ping of this machine ${what}`);

const percent = (share: number) => `${Math.round(share * 10) / 10} %`;
