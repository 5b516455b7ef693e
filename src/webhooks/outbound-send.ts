import { OutboundFailure } from '../platform/outbound/failures.ts';
import { request } from '../platform/outbound/request.ts';
import type { Send } from './send.ts';

/**
 * Sends through the egress module; what cannot be reached is an answer with its class. `timeoutMs` is over the whole
 * exchange, 15 s unless given (decisions, section 8).
 */
export function makeSend(options: { allowPrivate: boolean; timeoutMs?: number }): Send {
  const { allowPrivate, timeoutMs } = options;
  return async ({ url, headers, body }) => {
    const startedAt = performance.now();
    try {
      const reply = await request({
        url,
        method: 'POST',
        headers,
        body: Buffer.from(body, 'utf8'),
        policy: { allowPrivate },
        timeoutMs,
      });
      const retryAfter = reply.headers['retry-after'] ?? null;
      return { kind: 'answered', status: reply.status, retryAfter, latencyMs: reply.latencyMs };
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      return {
        kind: 'failed',
        failureClass: error.failureClass,
        latencyMs: Math.round(performance.now() - startedAt),
      };
    }
  };
}
