import http2, { type ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

export type OpenSession = {
  session: ClientHttp2Session;
  /** What the session broke by, where it did; a session that breaks is heard here and ends no process. */
  failure(): Error | undefined;
};

/** HTTP/2 over a connected socket: TLS with ALPN `h2`, or plain with prior knowledge. Pushes are refused. */
export function openHttp2(socket: Socket, authority: string): OpenSession {
  let failure: Error | undefined;
  const session = http2.connect(authority, {
    createConnection: () => socket,
    settings: { enablePush: false },
  });
  session.on('error', (error) => {
    failure ??= error;
  });
  return { session, failure: () => failure };
}
