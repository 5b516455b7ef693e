import { handshakeFailure } from './certificate.ts';
import { codeOf, OutboundFailure, ownFailure } from './failures.ts';

/** Connected, but no complete answer came in time. */
export function responseTimeout(host: string): OutboundFailure {
  return new OutboundFailure(
    'response_timeout',
    'target_http',
    `${host} did not answer completely within the time limit`,
  );
}

/** A failure after the connection was established and before the reply was complete. */
export function exchangeFailure(error: unknown, host: string): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = codeOf(error);
  const fail = (failureClass: string, detail: string) =>
    new OutboundFailure(failureClass, 'target_http', detail);
  const tls = handshakeFailure(error, host);
  if (tls) return tls;
  if (code === 'HPE_HEADER_OVERFLOW')
    return fail('headers_too_large', `The headers of the answer of ${host} are larger than 32 KiB`);
  if (code.startsWith('HPE_'))
    return fail('invalid_response', `${host} did not answer in valid HTTP (${code.slice(4)})`);
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return fail('response_reset', `${host} closed the connection before the answer was complete`);
  if (code === 'ETIMEDOUT') return responseTimeout(host);
  return ownFailure(error);
}
