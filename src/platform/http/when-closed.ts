// When a response is over: all of it is sent, or nobody can receive it any more.
import type { ServerResponse } from 'node:http';

/**
 * Calls `act` once the response is over. At once if it is already: a client may have hung up while its request was being looked
 * up, and that event does not come again.
 */
export function whenClosed(response: ServerResponse, act: () => void): void {
  if (response.closed || response.destroyed) act();
  else response.once('close', act);
}
