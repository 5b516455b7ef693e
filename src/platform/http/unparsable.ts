// Answers input that never becomes a request (not HTTP, too large, too slow) by hand, in the one error shape.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '../refusals.ts';

const REFUSALS: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are larger than 16 KiB together.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/** Answers and closes a connection whose input did not become a request. */
export function answerUnparsable(
  error: { code?: string },
  socket: Socket,
  headers: Record<string, string>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = REFUSALS[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const body = JSON.stringify(new Refusal('invalid_request', message, {}, status).body());
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}

/** Answers `Expect` with anything but 100-continue. */
export function answerExpectation(response: ServerResponse, headers: Record<string, string>): void {
  const refusal = new Refusal('invalid_request', 'Expect may only be 100-continue.', {}, 417);
  const body = JSON.stringify(refusal.body());
  const own = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(refusal.status, { ...headers, ...own, connection: 'close' }).end(body);
}

/** Refuses a request with no Host or several. */
export function refuseUnclearHost(request: IncomingMessage): void {
  if (!hasClearHost(request)) throw new Refusal('invalid_request', 'The request must have one Host header.');
}

/** Whether a request has one Host: a proxy in front may read several differently (RFC 9112, section 3.2). */
export function hasClearHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
}
