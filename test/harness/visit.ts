// A visitor of an edge: by name and over TLS, as a browser would visit.
import http2 from 'node:http2';
import https from 'node:https';
import tls from 'node:tls';

export type Visit = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

type Where = { port: number; ca?: string; path?: string; host?: string };

/** GET over https; throws if the handshake fails. */
export function visit(name: string, { port, ca, path = '/', host = name }: Where): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const sent = https.request(
      {
        host: '127.0.0.1',
        port,
        servername: name,
        ca,
        path,
        headers: { host },
        agent: false,
        timeout: 60_000,
      },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
        answer.on('error', reject);
      },
    );
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error('no answer')));
    sent.end();
  });
}

/** GET over HTTP/2; returns the status. */
export function visitByHttp2(name: string, { port, ca, path = '/' }: Where): Promise<number> {
  return new Promise((resolve, reject) => {
    const session = http2.connect(`https://${name}:${port}`, {
      ca,
      createConnection: () =>
        tls.connect({ host: '127.0.0.1', port, servername: name, ca, ALPNProtocols: ['h2'] }),
    });
    session.on('error', reject);
    const sent = session.request({ ':path': path });
    sent.on('response', (headers) => {
      resolve(Number(headers[':status']));
      session.close();
    });
    sent.on('error', reject);
    sent.resume();
    sent.end();
  });
}

/** Whether a handshake for this name, or without a name, completes with any certificate. */
export function shakesHands(name: string | null, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = tls.connect({
      ...{ host: '127.0.0.1', port, rejectUnauthorized: false },
      ...(name === null ? {} : { servername: name }),
    });
    socket.once('secureConnect', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
