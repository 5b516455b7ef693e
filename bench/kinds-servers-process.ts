// The targets of bench/kinds, one for every protocol, each answering as a healthy one does.
import { createSocket } from 'node:dgram';
import http from 'node:http';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import dnsPacket from 'dns-packet';
import { SMTPServer } from 'smtp-server';
import { WebSocketServer } from 'ws';
import { healthCheck } from '../probe/types/grpc/health.ts';
import { withDefaults } from '../src/monitors/types/defaults.ts';
import { rulesOf } from '../src/monitors/types.ts';
import { authority } from '../test/harness/certificates.ts';
import { startPostgres, startRedis } from '../test/harness/database-servers.ts';
import type { KindOfCheck, KindsReady } from './kinds.ts';

process.on('SIGINT', () => undefined); // the benchmark ends it, in order

const port = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
async function listening<S extends net.Server>(server: S): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1024, resolve));
  return port(server);
}

const trusted = await authority();
const certificate = await trusted.issue();
const tcp = await listening(net.createServer((socket) => socket.on('error', () => undefined).end('hello\n')));
const web = await listening(http.createServer((_request, response) => response.end('all is well\n')));
const secure = await listening(
  tls.createServer(certificate, (socket) => socket.on('error', () => undefined).end()),
);
const sockets = http.createServer();
new WebSocketServer({ server: sockets }).on('connection', (socket) => socket.on('error', () => undefined));
const grpc = http2.createServer(
  connectNodeAdapter({ routes: (router) => void router.rpc(healthCheck, async () => ({ status: 1 })) }),
);
const mail = new SMTPServer({ disabledCommands: ['AUTH', 'STARTTLS'], logger: false });
const udp = createSocket('udp4').on(
  'message',
  (_message, from) => void udp.send('pong', from.port, from.address),
);
const names = createSocket('udp4').on('message', (message, from) => {
  const query = dnsPacket.decode(message);
  const answer = { type: 'A', name: 'shop.example.com', ttl: 60, data: '192.0.2.1' } as const;
  names.send(
    dnsPacket.encode({
      type: 'response',
      id: query.id ?? 0,
      questions: query.questions ?? [],
      answers: [answer],
    }),
    from.port,
    from.address,
  );
});
for (const socket of [udp, names]) await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));

const host = '127.0.0.1';
const given: (Omit<KindOfCheck, 'config'> & { config: Record<string, unknown> })[] = [
  { name: 'tcp', type: 'tcp', config: { host, port: tcp } },
  { name: 'http', type: 'http', config: { url: `http://${host}:${web}/` } },
  { name: 'tls', type: 'tls', config: { host, port: secure, verify_chain: false, verify_hostname: false } },
  {
    name: 'dns',
    type: 'dns',
    config: { host: 'shop.example.com', record_type: 'A', resolver: host, port: port(names) },
  },
  { name: 'udp', type: 'udp', config: { host, port: port(udp), payload: 'ping' } },
  { name: 'websocket', type: 'websocket', config: { url: `ws://${host}:${await listening(sockets)}/` } },
  { name: 'grpc', type: 'grpc', config: { host, port: await listening(grpc), tls: false } },
  {
    name: 'mail (smtp)',
    type: 'mail',
    config: { protocol: 'smtp', host, port: await listening(mail.server) },
  },
  { name: 'ping, one packet', type: 'ping', config: { host, count: 1 } },
];
const postgres = await startPostgres(certificate);
const signIn = { host, username: postgres.user, password: postgres.password, database: 'postgres' };
given.push({
  name: 'database (postgres)',
  type: 'database',
  config: { engine: 'postgres', port: postgres.port, ...signIn },
});
const redis = await startRedis(certificate).catch(() => null);
if (redis)
  given.push({
    name: 'database (redis)',
    type: 'database',
    config: { engine: 'redis', host, port: redis.port, password: redis.password },
  });
// The servers started here must not outlive it: the benchmark asks for that before it ends this process.
const stopAll = () => Promise.all([postgres.stop(), redis?.stop()]);
process.on('message', () => {
  void stopAll().finally(() => process.send?.({ kind: 'ended' }));
});
process.once('disconnect', () => void stopAll().finally(() => process.exit()));

const ready: KindsReady = {
  kind: 'ready',
  checks: given.map((check) => ({
    ...check,
    config: withDefaults(rulesOf(check.type).schema, check.config),
  })),
  barePort: tcp,
};
process.send?.(ready);
