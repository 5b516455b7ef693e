// A push service and the browsers that subscribe to it. It trusts nobody: its own code verifies the signature of the sender
// (VAPID, RFC 8292), and decrypts the message as a browser does (RFC 8291, RFC 8188).
import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { awaited } from './awaited.ts';

export type PushReceived = {
  /** The browser it was for. */
  browser: number;
  /** The data for the browser's worker. */
  payload: Record<string, unknown>;
  ttlSeconds: number;
  urgency: string;
  topic: string | null;
  /** Claims of the signed token. */
  claims: { aud: string; exp: number; sub: string };
};

export type PushBrowser = {
  no: number;
  /** As `PushSubscription.toJSON()` gives it. */
  subscription: { endpoint: string; expirationTime: null; keys: { p256dh: string; auth: string } };
};

export type PushService = {
  /** A browser subscribes with the key of the application server, base64url. */
  browser: (applicationServerKey: string) => PushBrowser;
  received: PushReceived[];
  /** Why each refused request was refused. */
  refused: string[];
  /** The status for a browser from now on; null accepts messages again. `retryAfter` in seconds. */
  answer: (browser: PushBrowser, status: number | null, retryAfter?: number) => void;
  /** The number of attempts to reach a browser. */
  tries: (browser: PushBrowser) => number;
  next: (fits: (received: PushReceived) => boolean) => Promise<PushReceived>;
  stop: () => Promise<void>;
};

type Known = {
  no: number;
  ecdh: ReturnType<typeof createECDH>;
  auth: Buffer;
  applicationServerKey: string;
  answer: { status: number; retryAfter?: number | undefined } | null;
  tries: number;
};

/** Starts the service on a free port of this machine. */
export async function startPushService(): Promise<PushService> {
  const browsers: Known[] = [];
  const received: PushReceived[] = [];
  const refused: string[] = [];
  const { look, next } = awaited(received, () => `no such push among ${received.length}`);
  let origin = '';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const known = browsers[Number(/^\/send\/(\d+)$/.exec(request.url ?? '')?.[1])];
    if (!known || request.method !== 'POST') return void response.writeHead(404).end();
    known.tries += 1;
    if (known.answer !== null) {
      const { status, retryAfter } = known.answer;
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
      return void response.end();
    }
    try {
      received.push(read(request, Buffer.concat(chunks), known, origin));
      response.writeHead(201).end();
      look();
    } catch (error) {
      refused.push((error as Error).message);
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const knownOf = ({ no }: PushBrowser) => browsers[no] as Known;
  return {
    browser(applicationServerKey) {
      const ecdh = createECDH('prime256v1');
      const p256dh = ecdh.generateKeys('base64url');
      const auth = randomBytes(16);
      const no = browsers.length;
      browsers.push({ no, ecdh, auth, applicationServerKey, answer: null, tries: 0 });
      const keys = { p256dh, auth: auth.toString('base64url') };
      return { no, subscription: { endpoint: `${origin}/send/${no}`, expirationTime: null, keys } };
    },
    received,
    refused,
    answer(browser, status, retryAfter) {
      knownOf(browser).answer = status === null ? null : { status, retryAfter };
    },
    tries: (browser) => knownOf(browser).tries,
    next,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function read(request: IncomingMessage, body: Buffer, known: Known, origin: string): PushReceived {
  const header = (name: string) => String(request.headers[name] ?? '');
  demand(header('content-encoding') === 'aes128gcm', 'another content encoding');
  demand(/^\d+$/.test(header('ttl')), 'no TTL');
  demand(body.length <= 4096, 'more than 4096 bytes');
  const topic = header('topic');
  demand(topic === '' || /^[A-Za-z0-9_-]{1,32}$/.test(topic), 'not a topic');
  const claims = claimsOf(header('authorization'), known.applicationServerKey);
  demand(claims.aud === origin, 'a token for another service');
  const leftSeconds = claims.exp - Date.now() / 1000;
  demand(leftSeconds > 0 && leftSeconds <= 86_400, 'a token that is not valid now');
  demand(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/.test(claims.sub), 'nobody to turn to');
  return {
    browser: known.no,
    payload: JSON.parse(decrypt(body, known).toString('utf8')) as Record<string, unknown>,
    ttlSeconds: Number(header('ttl')),
    urgency: header('urgency'),
    topic: topic === '' ? null : topic,
    claims,
  };
}

function claimsOf(authorization: string, expectedKey: string): PushReceived['claims'] {
  const [, token = '', key = ''] =
    /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  demand(key === expectedKey, 'signed by another key than the one subscribed with');
  const point = Buffer.from(key, 'base64url');
  demand(point.length === 65 && point[0] === 4, 'not an uncompressed point');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x, y },
    format: 'jwk',
  });
  const [head = '', claims = '', signature = ''] = token.split('.');
  const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  demand(json(head).alg === 'ES256', 'another algorithm');
  const signed = Buffer.from(`${head}.${claims}`);
  const genuine = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  demand(genuine, 'a signature that does not hold');
  return json(claims);
}

function decrypt(body: Buffer, { ecdh, auth }: Known): Buffer {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  demand(idLength === 65 && sealed.length <= body.readUInt32BE(16), 'not one record');
  const hmac = (key: Buffer, ...parts: (Buffer | string)[]) => {
    const mac = createHmac('sha256', key);
    for (const part of parts) mac.update(part);
    return mac.digest();
  };
  const once = Buffer.of(1);
  const shared = hmac(auth, ecdh.computeSecret(senderKey));
  const secret = hmac(shared, 'WebPush: info\0', ecdh.getPublicKey(), senderKey, once);
  const prk = hmac(salt, secret);
  const key = hmac(prk, 'Content-Encoding: aes128gcm\0', once).subarray(0, 16);
  const nonce = hmac(prk, 'Content-Encoding: nonce\0', once).subarray(0, 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  demand(end >= 0 && padded.subarray(end + 1).every((byte) => byte === 0), 'no end of the last record');
  return padded.subarray(0, end);
}

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
