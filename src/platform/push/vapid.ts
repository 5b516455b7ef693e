// The key with which this installation signs what it sends to push services (VAPID, RFC 8292).
import { createECDH } from 'node:crypto';

/** Both base64url: the public key as 65 bytes uncompressed, the private one as 32 bytes. */
export type VapidKeys = { publicKey: string; privateKey: string };

/** The order of P-256 (SEC 2, section 2.4.2): private keys are from 1 to one below it. */
const ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

/** Derives the installation's private key from SECRET_KEY at the first start; stored since (lasting-key.ts). */
export function makePushKey(derive: (purpose: string) => Buffer): Buffer {
  for (let attempt = 1; ; attempt++) {
    const bytes = derive(`web push key ${attempt}`);
    const scalar = BigInt(`0x${bytes.toString('hex')}`);
    // Once in 2^32 a hash is not a valid key.
    if (scalar !== 0n && scalar < ORDER) return bytes;
  }
}

/** The pair of a private key (32 bytes): the same on every start and every server, so that subscriptions stay valid. */
export function vapidKeys(privateKey: Buffer): VapidKeys {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}

/**
 * The contact for push services (RFC 8292, section 2.1): the address that mail is sent from, otherwise the address of the
 * installation.
 */
export function vapidSubject({ mailFrom, baseUrl }: { mailFrom: string | null; baseUrl: string }): string {
  const address = /<([^<>\s]+@[^<>\s]+)>\s*$/.exec(mailFrom ?? '')?.[1] ?? mailFrom?.trim();
  if (address && /^[^\s<>"]+@[^\s<>"]+$/.test(address)) return `mailto:${address}`;
  const url = new URL(baseUrl);
  // Only https addresses and mail addresses are valid subjects.
  return url.protocol === 'https:' ? url.origin : `mailto:tocsin@${url.hostname.replace(/[[\]]/g, '')}`;
}
