import http2, { type ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

export type OpenSession = {
  session: ClientHttp2Session;
  /** The error of the session, if it failed; listening here keeps that error from ending the process. */
  failure(): Error | undefined;
};

/**
 * HTTP/2 over a connected socket: TLS with ALPN `h2`, or plain with prior knowledge. Pushes are refused. A session that
 * received more than `maxBytes`, including frames that raise no event, is destroyed with the error of `tooMuch`.
 */
export function openHttp2(
  socket: Socket,
  authority: string,
  { maxBytes, tooMuch }: { maxBytes: number; tooMuch: () => Error },
): OpenSession {
  let failure: Error | undefined;
  let received = 0;
  const counted = throughJavaScript(socket, (bytes) => {
    received += bytes;
    if (received > maxBytes) session.destroy(tooMuch());
    return received <= maxBytes;
  });
  const session = http2.connect(authority, {
    createConnection: () => counted,
    settings: { enablePush: false },
  });
  session.on('error', (error) => {
    failure ??= error;
  });
  return { session, failure: () => failure };
}

/**
 * The socket as a stream in JavaScript. A session with the socket itself would read in native code, where the bytes
 * could be neither counted nor attributed to a check.
 */
function throughJavaScript(socket: Socket, mayPass: (bytes: number) => boolean): Duplex {
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Buffer, _, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket
    .on('data', (chunk: Buffer) => {
      if (mayPass(chunk.length) && !stream.push(chunk)) socket.pause();
    })
    .on('end', () => void stream.push(null))
    .on('error', (error) => void stream.destroy(error))
    .on('close', () => void stream.destroy());
  return stream;
}
