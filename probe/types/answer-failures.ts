import { handshakeFailure } from '#src/platform/outbound/certificate.ts';
import { codeOf, OutboundFailure, ownFailure } from '#src/platform/outbound/failures.ts';
import type { Finding } from '../check-outcome.ts';

// One vocabulary for what can be wrong with an answer, for every type but http, which has its own.

const fail = (failureClass: string, detail: string) =>
  new OutboundFailure(failureClass, 'target_app', detail);

/** The connection was open, but the expected answer did not arrive in time. */
export const answerTimeout = (where: string) =>
  fail('answer_timeout', `${where} did not answer within the time limit`);

/** The target closed the connection in good order, but too early. */
export const connectionClosed = (where: string) =>
  fail('connection_closed', `${where} closed the connection before it answered`);

export const connectionReset = (where: string) =>
  fail('connection_reset', `${where} reset the connection before it answered`);

export const answerTooLarge = (where: string, bytes: number) =>
  fail('answer_too_large', `${where} sent more than ${bytes} bytes where a short answer belongs`);

/**
 * The most pieces (segments, lines) of an answer. Each piece costs the shared main loop far more than its bytes. A server that
 * sends 4 KiB byte by byte stays within the limit.
 */
export const MAX_PIECES = 4_096;

export const tooManyPieces = (where: string, pieces: number) =>
  fail('answer_too_large', `${where} sent more than ${pieces} pieces where a short answer belongs`);

/** An answer that is invalid in the protocol. */
export const invalidAnswer = (detail: string) => fail('invalid_answer', detail);

/** A complete answer that does not match the config. */
export const answerMismatch = (detail: string): Finding => ({
  failureClass: 'answer_mismatch',
  layer: 'target_app',
  detail,
});

/** The failure behind an error on an established connection. */
export function answerFailure(error: unknown, where: string): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = codeOf(error);
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED') return connectionReset(where);
  if (code === 'ETIMEDOUT') return answerTimeout(where);
  return handshakeFailure(error, where) ?? ownFailure(error);
}
