// Real servers on free loopback ports, closed with the test that started them, also when it fails.
import http, { type RequestListener, type Server } from 'node:http';
import https, { type ServerOptions } from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** An HTTP server; answers its port. */
export function httpServer(t: TestContext, listener: RequestListener, host = '127.0.0.1'): Promise<number> {
  return listen(t, http.createServer({ keepAliveTimeout: 60_000 }, listener), host);
}

export function httpsServer(t: TestContext, options: ServerOptions, listener: RequestListener): Promise<number> {
  const server = https.createServer(options, listener);
  server.on('tlsClientError', () => undefined);
  return listen(t, server, '127.0.0.1');
}

/** A bare TCP server. */
export function tcpServer(t: TestContext, onSocket: (socket: Socket) => void, host = '127.0.0.1'): Promise<number> {
  return listen(t, net.createServer(onSocket), host);
}

/** A port nobody listens on: one that was free a moment ago. */
export async function closedPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listen(t: TestContext, server: net.Server | Server, host: string): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}
