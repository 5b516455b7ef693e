// A trap that must not be touched: listens with TCP and UDP on one port of several loopback addresses, and counts.
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import net, { isIPv6 } from 'node:net';
import type { TestContext } from 'node:test';
import { closedPort } from './listeners.ts';

export type Canary = {
  port: number;
  /** Connections and datagrams so far, as `tcp 127.0.0.1`. */
  touched: string[];
};

/** Starts it; it never answers. */
export async function startCanary(t: TestContext, addresses: readonly string[]): Promise<Canary> {
  const port = await closedPort();
  const touched: string[] = [];
  for (const address of addresses) {
    const server = net.createServer((socket) => {
      touched.push(`tcp ${address}`);
      socket.on('error', () => undefined).destroy();
    });
    const udp: UdpSocket = isIPv6(address)
      ? createSocket({ type: 'udp6', ipv6Only: true })
      : createSocket('udp4');
    udp.on('message', () => touched.push(`udp ${address}`));
    t.after(() => {
      server.close();
      udp.close();
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: address, ipv6Only: true }, resolve);
    });
    await new Promise<void>((resolve, reject) => {
      udp.once('error', reject);
      udp.bind(port, address, resolve);
    });
  }
  return { port, touched };
}
