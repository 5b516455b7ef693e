import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { request } from '#src/platform/outbound/request.ts';
import { isOperators, type OperatorAddresses } from '../targets/operator-addresses.ts';
import type { Send } from './send.ts';

/** What is read of an answer, to judge it; the rest is not (docs/rules/limits.md#sizes). */
const MOST_REPLY_BYTES = 64 * 1024;

/**
 * Sends through the egress module; what cannot be reached is an answer with its class. Addresses that the operator has
 * configured may lie in the operator's own network, whatever is allowed to organizations.
 */
export function makeSend(options: { allowPrivate: boolean; operator?: OperatorAddresses }): Send {
  const { operator } = options;
  return async ({ url, headers, body, timeoutMs, to }) => {
    const trusted = operator !== undefined && to !== undefined && isOperators(to, url, operator);
    const allowPrivate = options.allowPrivate || trusted;
    const startedAt = performance.now();
    try {
      const reply = await request({
        url,
        method: 'POST',
        headers,
        body: Buffer.from(body, 'utf8'),
        policy: { allowPrivate },
        timeoutMs,
        maxReplyBytes: MOST_REPLY_BYTES,
      });
      const retryAfter = reply.headers['retry-after'] ?? null;
      const { status, bodyText, latencyMs } = reply;
      return { kind: 'answered', status, retryAfter, body: bodyText, latencyMs };
    } catch (error) {
      return {
        kind: 'failed',
        failureClass: error instanceof OutboundFailure ? error.failureClass : 'cannot_be_sent',
        latencyMs: Math.round(performance.now() - startedAt),
      };
    }
  };
}
