// The net on loopback, for machines without namespaces: a TCP proxy per line that can fall silent. All probes use the same
// name; each has a name server of its own that resolves it to its own proxy.
import { spawn } from 'node:child_process';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { closedPort } from '#test/harness/listeners.ts';
import { nameServer } from '../name-server.ts';
import type { Line, Net, Probing } from './net.ts';
import { PROBING } from './net.ts';

const NAME = 'target.example.com';

/** Builds it; its proxies end with the test. */
export async function proxies(t: TestContext): Promise<Net> {
  const [serverPort, targetPort] = [await closedPort(), await closedPort()];
  const toServer = new Map<Probing, Proxy>();
  const toTarget = new Map<Probing, Proxy>();
  const names = new Map<Probing, string>();
  for (const place of PROBING) {
    toServer.set(place, await proxy(t, '127.0.0.1', 0, serverPort));
    toTarget.set(place, await proxy(t, `127.0.1.${place}`, targetPort, targetPort));
    names.set(
      place,
      await nameServer(t, (name, type) => (name === NAME && type === 'A' ? [`127.0.1.${place}`] : [])),
    );
  }
  return {
    made: 'TCP proxies',
    run: (_place, args, env) =>
      spawn(process.execPath, [...args], {
        stdio: 'ignore',
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      }),
    server: { bind: { HOST: '127.0.0.1', PORT: String(serverPort) }, url: `http://127.0.0.1:${serverPort}` },
    serverFrom: (place) => `http://127.0.0.1:${toServer.get(place)?.port}`,
    target: { bind: { host: '127.0.0.1', port: targetPort }, url: `http://${NAME}:${targetPort}/` },
    probeEnv: (place) => ({ DNS_SERVERS: names.get(place) ?? '' }),
    toServer: (place) => toServer.get(place) as Proxy,
    toTarget: (place) => toTarget.get(place) as Proxy,
  };
}

type Proxy = Line & { port: number };

async function proxy(t: TestContext, host: string, port: number, to: number): Promise<Proxy> {
  const pairs = new Set<[Socket, Socket]>();
  let silent = false;
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [socket, other] of [pair, [far, near] as const]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
      // While the line is cut nothing gets through, in either direction, and no end is notified.
      socket.on('data', (chunk) => void (silent || other.write(chunk)));
    }
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const drop = () => {
    for (const [near] of pairs) near.destroy();
  };
  t.after(() => {
    drop();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut: async () => {
      silent = true;
    },
    mend: async () => {
      silent = false;
      drop();
    },
  };
}
