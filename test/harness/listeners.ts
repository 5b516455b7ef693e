// Real servers on free loopback ports, closed with the test that started them, also if it fails.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import http, { type RequestListener, type Server } from 'node:http';
import https, { type ServerOptions } from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import tls from 'node:tls';

/** An HTTP server; returns its port. */
export function httpServer(t: TestContext, listener: RequestListener, host = '127.0.0.1'): Promise<number> {
  return listen(t, http.createServer({ keepAliveTimeout: 60_000 }, listener), host);
}

export function httpsServer(
  t: TestContext,
  options: ServerOptions,
  listener: RequestListener,
): Promise<number> {
  const server = https.createServer(options, listener);
  server.on('tlsClientError', () => undefined);
  return listen(t, server, '127.0.0.1');
}

/** A bare TCP server. */
export function tcpServer(
  t: TestContext,
  onSocket: (socket: Socket) => void,
  host = '127.0.0.1',
): Promise<number> {
  return listen(t, net.createServer(onSocket), host);
}

/**
 * A TCP server whose connections may become TLS on the way (STARTTLS). Of a plain and its TLS socket only the latter is
 * destroyed: both at once end node with a segmentation fault.
 */
export async function upgradingServer(
  t: TestContext,
  onSocket: (socket: Socket, upgrade: (options: tls.TLSSocketOptions) => tls.TLSSocket) => void,
): Promise<number> {
  const open = new Set<Socket>();
  const server = net.createServer((plain) => {
    open.add(plain);
    plain.on('error', () => undefined);
    onSocket(plain, (options) => {
      const secure = new tls.TLSSocket(plain, { isServer: true, ...options });
      secure.on('error', () => undefined);
      open.delete(plain);
      open.add(secure);
      return secure;
    });
  });
  t.after(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Sends the same bytes repeatedly, many at once, until the socket is destroyed. */
export function flood(socket: Socket, bytes: Buffer): void {
  const block = Buffer.concat(Array.from({ length: Math.ceil(65_536 / bytes.length) }, () => bytes));
  const send = () => void (socket.destroyed || (socket.write(block) && setImmediate(send)));
  socket.on('drain', send);
  send();
}

/** Below the ports that systems assign by themselves (Linux from 32768, others from 49152). */
const OWN_PORTS = { from: 20_000, to: 32_000 };

/** A port of 127.0.0.1 on which nothing listens, and that no other process gets while a test relies on it. */
export async function closedPort(): Promise<number> {
  const port = randomInt(OWN_PORTS.from, OWN_PORTS.to);
  const server = net.createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return closedPort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * A port whose accept queue is full: further connects to it are never answered. A sleeping process holds it, so that nothing is
 * accepted.
 */
export async function blackHole(t: TestContext, host: string): Promise<number> {
  const program = `const server = require('node:net').createServer();
    server.listen({ port: 0, host: '${host}', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const holder = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => holder.kill('SIGKILL'));
  const port = Number(
    await new Promise((resolve) => holder.stdout.once('data', (text) => resolve(String(text)))),
  );
  const fillers = Array.from({ length: 4 }, () => net.connect({ host, port }).on('error', () => undefined));
  t.after(() => {
    for (const socket of fillers) socket.destroy();
  });
  await new Promise((resolve) => fillers[0]?.once('connect', resolve));
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
