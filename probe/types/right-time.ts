import type { NetworkPolicy } from '#src/platform/outbound/connect.ts';

/**
 * The time by which dates of certificates and registrations are judged: the server's, or without one the machine's as it was set when
 * this process began.
 */
export const rightNowMs = ({ nowMs }: Pick<NetworkPolicy, 'nowMs'>): number =>
  nowMs?.() ?? performance.timeOrigin + performance.now();
