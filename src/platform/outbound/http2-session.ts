import http2, { type ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

export type OpenSession = {
  session: ClientHttp2Session;
  /** What the session broke by, where it did; a session that breaks is heard here and ends no process. */
  failure(): Error | undefined;
};

/**
 * HTTP/2 over a connected socket: TLS with ALPN `h2`, or plain with prior knowledge. Pushes are refused. A session that got
 * more than `mostBytes`, frames that nobody hears of included, is destroyed with what `tooMuch` makes.
 */
export function openHttp2(
  socket: Socket,
  authority: string,
  { mostBytes, tooMuch }: { mostBytes: number; tooMuch: () => Error },
): OpenSession {
  let failure: Error | undefined;
  let received = 0;
  const counted = throughJavaScript(socket, (bytes) => {
    received += bytes;
    if (received > mostBytes) session.destroy(tooMuch());
    return received <= mostBytes;
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
 * The socket as a stream in JavaScript. A session that is given the socket itself reads in native code, where nothing counts
 * what comes and nobody knows whose work it is.
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
