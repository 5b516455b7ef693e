// Web push: encrypted for one browser (RFC 8291), signed by this installation (RFC 8292), through the one way out.
import { createECDH } from 'node:crypto';
import type { RequestDetails } from 'web-push';
import type { NetworkPolicy } from '../outbound/connect.ts';
import { OutboundFailure, PROBE_EXHAUSTED } from '../outbound/failures.ts';
import { loadLibrary } from '../outbound/load-library.ts';
import { request } from '../outbound/request.ts';
import type { VapidKeys } from './vapid.ts';

/** The subscription as the browser gave it; both keys in base64url. */
export type PushAddress = { endpoint: string; p256dh: string; auth: string };

export type PushMessage = {
  /** At most 3 KiB of text: services accept 4 KiB including the encryption overhead. */
  payload: string;
  /** How long a service keeps it for a browser that is away. */
  ttlSeconds: number;
  urgency: 'normal' | 'high';
  /** A newer message of the same topic replaces one that still waits; base64url, at most 32 characters. */
  topic?: string;
};

export type PushOutcome =
  | { kind: 'accepted' }
  /** The browser has unsubscribed: 404 or 410 (RFC 8030, section 7.3). */
  | { kind: 'gone'; error: string }
  /** Temporary: 408, 429, 5xx, or unreachable. */
  | { kind: 'later'; error: string; retryAfterMs: number | null }
  /** This machine had run out of something (descriptors, ports, memory): no statement about the browser. */
  | { kind: 'not_tried'; error: string }
  /** Permanent: every other answer. */
  | { kind: 'refused'; error: string };

export type Push = {
  /** The application server key that browsers subscribe with, base64url. */
  publicKey: string;
  /** One attempt, within 15 s; never throws because of a service. Never call it inside a unit of work. */
  send: (address: PushAddress, message: PushMessage) => Promise<PushOutcome>;
};

export type PushOptions = {
  keys: VapidKeys;
  /** See vapidSubject. */
  subject: string;
  /** Services on private addresses are allowed. */
  allowPrivate: boolean;
  isOffLimits?: NetworkPolicy['isOffLimits'];
  timeoutMs?: number;
};

export function makePush({ keys, subject, allowPrivate, isOffLimits, timeoutMs }: PushOptions): Push {
  return {
    publicKey: keys.publicKey,
    async send({ endpoint, p256dh, auth }, { payload, ttlSeconds, urgency, topic }) {
      try {
        // Loaded with the first push, as the mail library is with the first mail.
        const { default: library } = await loadLibrary(() => import('web-push'));
        const details = library.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
          vapidDetails: { subject, ...keys },
          TTL: ttlSeconds,
          urgency,
          contentEncoding: 'aes128gcm',
          ...(topic === undefined ? {} : { topic }),
        });
        const reply = await request({
          url: endpoint,
          method: 'POST',
          headers: headersOf(details),
          body: details.body,
          policy: { allowPrivate, isOffLimits },
          timeoutMs,
          // The service's answer body is never read.
          maxReplyBytes: 1024,
        });
        return outcomeOf(reply.status, reply.headers['retry-after']);
      } catch (error) {
        if (!(error instanceof OutboundFailure)) throw error;
        const { failureClass } = error;
        if (failureClass === PROBE_EXHAUSTED) return { kind: 'not_tried', error: failureClass };
        return { kind: 'later', error: failureClass, retryAfterMs: null };
      }
    },
  };
}

/** Whether keys meet RFC 8291: a point on P-256, and 16 bytes. */
export function arePushKeys({ p256dh, auth }: { p256dh: string; auth: string }): boolean {
  if (!BASE64URL.test(p256dh) || !BASE64URL.test(auth)) return false;
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== 65 || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== 16) return false;
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    own.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

const BASE64URL = /^[A-Za-z0-9_-]+=*$/;

/** Its length is checked when the body is sent. */
function headersOf(details: RequestDetails): Record<string, string> {
  const given = Object.entries(details.headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function outcomeOf(status: number, retryAfter: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  const error = `http_status ${status}`;
  if (status === 404 || status === 410) return { kind: 'gone', error };
  if (status !== 408 && status !== 429 && status < 500) return { kind: 'refused', error };
  const seconds = /^\s*(\d{1,6})\s*$/.exec(retryAfter ?? '')?.[1];
  return { kind: 'later', error, retryAfterMs: seconds === undefined ? null : Number(seconds) * 1000 };
}
