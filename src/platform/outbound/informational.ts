import type { ClientRequest } from 'node:http';
import { OutboundFailure } from './failures.ts';

const MAX_INFORMATIONAL = 100;

/**
 * Calls `fail` if a server answers "wait" (1xx) more than a hundred times before its answer: each costs the shared main loop
 * far more than its bytes, and node does not limit them.
 */
export function limitInformational(
  request: ClientRequest,
  host: string,
  fail: (failure: OutboundFailure) => void,
): void {
  let seen = 0;
  const count = () => {
    seen += 1;
    if (seen <= MAX_INFORMATIONAL) return;
    request.off('information', count);
    fail(
      new OutboundFailure(
        'invalid_response',
        'target_http',
        `${host} sent more than ${MAX_INFORMATIONAL} informational answers (1xx) and no other`,
      ),
    );
  };
  request.on('information', count);
}
