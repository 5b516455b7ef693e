// Signatures of the generic webhook (docs/rules/notifications.md#signatures), over the exact bytes sent.
import { createHmac, randomBytes } from 'node:crypto';
import { secretHint } from '#src/domain/secret-hint.ts';

/** A new signing secret: `whsec_` and base64 of 32 random bytes. */
export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The visible part of a signing secret: `whsec_••••` and its last four characters. */
export function signingSecretHint(secret: string): string {
  return `whsec_${secretHint(secret)}`;
}

export type Signed = {
  event: string;
  /** Unique for each attempt. */
  tryId: string;
  eventId: string;
  body: string;
  secret: string;
  at: Date;
};

/**
 * Headers of one attempt. The key of `x-service-signature` is the UTF-8 bytes of the whole secret as shown; the key of
 * the Standard Webhooks signature is its decoded base64 part, so that off-the-shelf verifiers work.
 */
export function signedHeaders({ event, tryId, eventId, body, secret, at }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const standardKey = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const standard = createHmac('sha256', standardKey)
    .update(`${eventId}.${timestamp}.${body}`)
    .digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Tocsin-Webhook/1.0',
    'x-service-event': event,
    'x-service-delivery': tryId,
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
}
