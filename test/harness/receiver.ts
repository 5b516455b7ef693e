// A webhook receiver that trusts nobody: it verifies both signatures with its own code.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { awaited } from './awaited.ts';

export type Received = {
  event: string;
  id: string;
  /** Unique for each attempt. */
  deliveryId: string;
  /** Whether both signatures hold over the raw bytes. */
  genuine: boolean;
  raw: string;
  body: Record<string, unknown> & { incident: Record<string, unknown> | null };
  atMs: number;
};

export type Receiver = {
  url: string;
  received: Received[];
  /** The secret to verify with, once it is known. */
  trust: (secret: string) => void;
  /** Status it answers with from now on; null: it accepts the request and never answers. */
  answer: (status: number | null) => void;
  /** Resolves with the first delivery that fits, including earlier ones. */
  next: (fits: (delivery: Received) => boolean, withinMs?: number) => Promise<Received>;
  stop: () => Promise<void>;
};

/** Starts the receiver on a free port of this machine. */
export async function startReceiver(): Promise<Receiver> {
  let secret = '';
  let status: number | null = 200;
  const received: Received[] = [];
  const { look, next } = awaited(
    received,
    () => `no such delivery (got ${received.map((r) => r.event).join(', ') || 'nothing'})`,
  );
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    received.push({
      event: header(request, 'x-service-event'),
      id: header(request, 'webhook-id'),
      deliveryId: header(request, 'x-service-delivery'),
      genuine: isGenuine(request, raw, secret),
      raw: raw.toString('utf8'),
      body: JSON.parse(raw.toString('utf8')) as Received['body'],
      atMs: performance.timeOrigin + performance.now(),
    });
    if (status !== null) response.writeHead(status).end();
    look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    trust: (given) => {
      secret = given;
    },
    answer: (next) => {
      status = next;
    },
    next,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const header = (request: IncomingMessage, name: string) => String(request.headers[name] ?? '');

function isGenuine(request: IncomingMessage, raw: Buffer, secret: string): boolean {
  const own = `sha256=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(raw).digest('hex')}`;
  const signed = Buffer.concat([
    Buffer.from(`${header(request, 'webhook-id')}.${header(request, 'webhook-timestamp')}.`),
    raw,
  ]);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const standard = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return (
    same(own, header(request, 'x-service-signature')) && same(standard, header(request, 'webhook-signature'))
  );
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
