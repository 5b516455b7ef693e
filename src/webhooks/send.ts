// One try of one delivery, through the egress module.
import { randomBytes } from 'node:crypto';
import type { DeliveryOutcome } from '../domain/backoff.ts';
import type { Vault } from '../platform/secrets.ts';
import { signedHeaders } from './signature.ts';

/** Sends bytes and never throws: a failure is an answer too. */
export type Send = (request: {
  url: string;
  headers: Record<string, string>;
  body: string;
}) => Promise<
  | { kind: 'answered'; status: number; retryAfter: string | null; latencyMs: number }
  | { kind: 'failed'; failureClass: string; latencyMs: number }
>;

export type Attempt = {
  deliveryId: string;
  attempt: number;
  eventId: string;
  event: string;
  body: string;
  target: { id: string; url: string; secretSealed: string };
};

export type Attempted = {
  outcome: DeliveryOutcome;
  statusCode: number | null;
  error: string | null;
  latencyMs: number;
};

export const secretContext = (targetId: string) => `webhook ${targetId} secret`;

/** Signs with the secret of this moment and sends. `error` is a class and a status, never what the receiver said. */
export async function sendSigned(
  { vault, send, clock }: { vault: Vault; send: Send; clock: () => Date },
  attempt: Attempt,
): Promise<Attempted> {
  const secret = vault.open(attempt.target.secretSealed, secretContext(attempt.target.id));
  // A replay counts its tries anew, and the header has to differ all the same.
  const tryId = `${attempt.deliveryId}-${attempt.attempt}-${randomBytes(4).toString('hex')}`;
  const headers = signedHeaders({ ...attempt, tryId, secret, at: clock() });
  const answer = await send({ url: attempt.target.url, headers, body: attempt.body });
  const { latencyMs } = answer;
  if (answer.kind === 'failed')
    return { outcome: { kind: 'network' }, statusCode: null, error: answer.failureClass, latencyMs };
  const { status } = answer;
  if (status >= 200 && status < 300)
    return { outcome: { kind: 'delivered' }, statusCode: status, error: null, latencyMs };
  const outcome: DeliveryOutcome = {
    kind: 'status',
    status,
    retryAfterMs: retryAfterMs(answer.retryAfter, clock()),
  };
  return { outcome, statusCode: status, error: `http_status ${status}`, latencyMs };
}

/** Retry-After in seconds or as an HTTP date (RFC 9110, section 10.2.3); null when absent or unreadable. */
function retryAfterMs(value: string | null, now: Date): number | null {
  if (value === null) return null;
  if (/^[0-9]{1,9}$/.test(value.trim())) return Number(value.trim()) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
