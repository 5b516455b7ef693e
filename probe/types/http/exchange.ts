import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Reservation } from '#probe/bodies.ts';
import { type MonotonicMs, onDeadline } from '#src/platform/outbound/deadline.ts';
import { exchangeFailure, responseTimeout } from '#src/platform/outbound/exchange-failure.ts';
import { cancelledByCaller, codeOf, OutboundFailure } from '#src/platform/outbound/failures.ts';
import { limitInformational } from '#src/platform/outbound/informational.ts';
import { http } from '#src/platform/outbound/node-http.ts';
import type { Hop } from './hop.ts';

/**
 * needed: read completely, up to the limit · watched: not evaluated, but its beginning is read, since a body that breaks off is
 * a broken response · ignored: the head is enough.
 */
export type BodyUse = 'needed' | 'watched' | 'ignored';

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  /** As sent, not decoded; empty unless needed. */
  body: Buffer;
  firstByteMs: number;
};

/** The size limit of a body, and the account that its bytes are counted in. */
export type BodyLimits = { maxBodyBytes: number; reservation: Reservation };

const HEADER_BYTES = 32 * 1024;
const WATCHED_BYTES = 64 * 1024;
/**
 * The most chunks and segments of a body. Each costs the shared main loop far more than its bytes. A body that streams lines or
 * words may exceed it; chunks of half a KiB and more never do.
 */
const MAX_PIECES = 8_192;
const BYTES_OF_A_FURTHER_PIECE = 512;
const WATCHED_PIECES = 1_024;
/** How long the rest of an ignored body may take before the connection is cut. */
const DISCARD_MS = 1_000;

/**
 * One request and its response over a connected socket, by Node's strict parser. `onHead` gets the status as soon as it is
 * known and returns how the body is used. Throws OutboundFailure.
 */
export function exchange(
  socket: Socket,
  hop: Hop,
  host: string,
  limits: BodyLimits,
  onHead: (status: number, headers: IncomingHttpHeaders, incoming?: IncomingMessage) => BodyUse,
  deadlineAtMs: MonotonicMs,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sentAtMs = performance.now();
    let settled = false;
    const settle = (end: () => void) => {
      if (settled) return;
      settled = true;
      release();
      end();
    };
    const fail = (failure: OutboundFailure) => {
      settle(() => reject(failure));
      socket.destroy();
    };
    const release = onDeadline(deadlineAtMs, signal, (aborted) =>
      fail(aborted ? cancelledByCaller() : responseTimeout(host)),
    );

    const outgoing = request(socket, hop, fail);
    if (outgoing === undefined) return;
    outgoing.on('error', (error) => fail(exchangeFailure(error, host)));
    limitInformational(outgoing, host, fail);
    outgoing.once('upgrade', (incoming: IncomingMessage) => {
      onHead(101, incoming.headers);
      settle(() =>
        resolve({ status: 101, headers: incoming.headers, body: Buffer.alloc(0), firstByteMs: 0 }),
      );
      socket.destroy();
    });
    outgoing.once('response', (incoming) => {
      const firstByteMs = performance.now() - sentAtMs;
      const status = incoming.statusCode ?? 0;
      const { headers } = incoming;
      const done = (body: Buffer) => settle(() => resolve({ status, headers, body, firstByteMs }));
      incoming.on('error', (error) => fail(exchangeFailure(error, host)));
      const use = onHead(status, headers, incoming);
      if (use === 'needed') return readWhole(incoming, limits, done, fail);
      const cut = () => {
        done(NOTHING);
        socket.destroy();
      };
      if (use === 'ignored') {
        done(NOTHING);
        const timer = setTimeout(cut, DISCARD_MS).unref();
        incoming.once('close', () => clearTimeout(timer));
      }
      readBeginning(incoming, () => done(NOTHING), cut);
    });
    if (hop.body === null) outgoing.end();
    else outgoing.end(hop.body);
  });
}

const NOTHING = Buffer.alloc(0);

function request(socket: Socket, hop: Hop, fail: (failure: OutboundFailure) => void) {
  // With headers as pairs, Node does not add this one itself.
  const headers = ['Connection', 'close'];
  for (const [name, value] of hop.headers.values()) headers.push(name, value);
  try {
    return http.request({
      createConnection: () => socket,
      method: hop.method,
      path: `${hop.url.pathname}${hop.url.search}`,
      headers,
      maxHeaderSize: HEADER_BYTES,
    });
  } catch (error) {
    // Node refused a header or a path: a configuration problem, never an outage.
    fail(
      new OutboundFailure(
        'invalid_config',
        'probe',
        `The request cannot be sent as configured (${codeOf(error)})`,
      ),
    );
    return undefined;
  }
}

function readBeginning(incoming: IncomingMessage, end: () => void, cut: () => void): void {
  let size = 0;
  let pieces = 0;
  const read = (chunk: Buffer) => {
    size += chunk.length;
    pieces += 1;
    if (size < WATCHED_BYTES && pieces < WATCHED_PIECES) return;
    incoming.pause();
    cut();
  };
  incoming.on('data', read);
  incoming.once('end', end);
}

function readWhole(
  incoming: IncomingMessage,
  { maxBodyBytes, reservation }: BodyLimits,
  done: (body: Buffer) => void,
  fail: (failure: OutboundFailure) => void,
): void {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes) {
    fail(bodyTooLarge(maxBodyBytes));
    return;
  }
  // Copied into one buffer: a body in chunks of one byte would need hundreds of bytes of memory for each.
  let body = NOTHING;
  let size = 0;
  let pieces = 0;
  const end = (failure: OutboundFailure) => {
    // Drops the rest of the current block, which Node has parsed already.
    incoming.pause();
    fail(failure);
  };
  const read = (chunk: Buffer) => {
    if (size + chunk.length > maxBodyBytes) return end(bodyTooLarge(maxBodyBytes));
    pieces += 1;
    if (pieces > MAX_PIECES + size / BYTES_OF_A_FURTHER_PIECE) return end(bodyInPieces(pieces - 1));
    if (size + chunk.length > body.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * body.length, size + chunk.length));
      if (!reservation.take(larger.length - body.length)) return end(noRoom());
      body.copy(larger, 0, 0, size);
      body = larger;
    }
    size += chunk.copy(body, size);
  };
  incoming.on('data', read);
  incoming.once('end', () => done(body.subarray(0, size)));
}

function bodyInPieces(pieces: number): OutboundFailure {
  return new OutboundFailure(
    'invalid_response',
    'target_http',
    `The body came in more than ${pieces} tiny pieces, so it cannot be judged`,
  );
}

/** A body could not be read because other checks of the organization hold too many bytes. */
export function noRoom(): OutboundFailure {
  return new OutboundFailure(
    'probe_busy',
    'probe',
    'This probe holds as many bytes of answers for the checks of this organization as it may; fewer large answers at a time (config.max_body_bytes) leave room',
  );
}

/** The body, sent or decompressed, exceeds what this check may read. */
export function bodyTooLarge(maxBodyBytes: number): OutboundFailure {
  return new OutboundFailure(
    'body_too_large',
    'target_http',
    `The body is larger than ${maxBodyBytes} bytes (config.max_body_bytes), so it cannot be judged`,
  );
}
