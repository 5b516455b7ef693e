// One try of one message, through the egress module.
import { randomBytes } from 'node:crypto';
import type { DeliveryOutcome } from '#src/domain/backoff.ts';
import { WEBHOOK_FAMILIES, type WebhookKind } from '#src/domain/names.ts';
import { PROBE_EXHAUSTED } from '#src/platform/outbound/failures.ts';
import type { Vault } from '#src/platform/secrets.ts';
import type { Exchange, Group, NotificationKind } from '../channels/channel.ts';
import { kindOf } from '../channels/index.ts';
import type { EventBody } from '../event-body.ts';

/**
 * Sends bytes and never throws: a failure is an answer too. `timeoutMs` is over the whole exchange; `to` is the kind of
 * target that it is for.
 */
export type Send = (request: Exchange & { timeoutMs: number; to?: WebhookKind }) => Promise<Answered>;

type Answered =
  | { kind: 'answered'; status: number; retryAfter: string | null; body: string; latencyMs: number }
  | { kind: 'failed'; failureClass: string; latencyMs: number };

export type SendOptions = {
  vault: Vault;
  send: Send;
  clock: () => Date;
  /** Where people reach the dashboard, without a slash at the end. */
  baseUrl: string;
};

type StoredEvent = { body: string; actor: string | null };

export type Attempt = {
  /** Of the first delivery in it. */
  deliveryId: string;
  attempt: number;
  /** Bodies as they are stored and who is behind them, in order; several of a group only. */
  events: readonly [StoredEvent, ...StoredEvent[]];
  group: Group | null;
  target: { id: string; kind: WebhookKind; url: string; secretSealed: string | null };
};

export type Attempted = {
  outcome: DeliveryOutcome;
  statusCode: number | null;
  error: string | null;
  latencyMs: number;
};

/** Total time of a try, whatever number of requests it makes (docs/rules/notifications.md#success-of-a-try). */
const TIMEOUT_MS = 15_000;

/** Kinds whose address is their secret: it is sealed in its place, and the address that is stored is masked. */
export const isChat = (kind: string): boolean => WEBHOOK_FAMILIES[kind as WebhookKind] === 'chat';

export const secretContext = (targetId: string) => `webhook ${targetId} secret`;

/**
 * Says it as the target's kind does, with the secret of this moment; the first request that fails ends the try.
 * `error` is a class and a status, never what the receiver said and never the address.
 */
export async function attempt(options: SendOptions, given: Attempt): Promise<Attempted> {
  const startedAt = performance.now();
  let kind: NotificationKind;
  let exchanges: Exchange[];
  try {
    kind = kindOf(given.target.kind);
    exchanges = render(options, given, kind);
  } catch {
    // Retrying helps where a server that knows better takes it over; what was stored is never in the error.
    return { outcome: { kind: 'unsendable' }, statusCode: null, error: 'cannot_be_rendered', latencyMs: 0 };
  }
  let last: Attempted | null = null;
  for (const exchange of exchanges) {
    const spentMs = performance.now() - startedAt;
    const timeoutMs = Math.max(1, TIMEOUT_MS - spentMs);
    const answer = await options.send({ ...exchange, timeoutMs, to: given.target.kind });
    last = judge(kind, answer, options.clock(), Math.round(spentMs) + answer.latencyMs);
    if (last.outcome.kind !== 'delivered') return last;
  }
  // A kind that has nothing to send about it has said all there is.
  return last ?? { outcome: { kind: 'delivered' }, statusCode: null, error: null, latencyMs: 0 };
}

function render({ vault, clock, baseUrl }: SendOptions, given: Attempt, kind: NotificationKind): Exchange[] {
  const { target, events, group, deliveryId, attempt: number } = given;
  const secret =
    target.secretSealed === null ? null : vault.open(target.secretSealed, secretContext(target.id));
  return kind.exchanges(
    {
      events: events.map(({ body, actor }) => ({ ...(JSON.parse(body) as EventBody), actor })),
      stored: events[0].body,
      group,
      // A replay counts its tries anew, and this has to differ all the same.
      tryId: `${deliveryId}-${number}-${randomBytes(4).toString('hex')}`,
      at: clock(),
      baseUrl,
    },
    secret !== null && isChat(target.kind)
      ? { kind: target.kind, url: secret, secret: null }
      : { kind: target.kind, url: target.url, secret },
  );
}

function judge(kind: NotificationKind, answer: Answered, now: Date, latencyMs: number): Attempted {
  if (answer.kind === 'failed') {
    const { failureClass: error } = answer;
    const kind = error === PROBE_EXHAUSTED ? 'not_tried' : 'network';
    return { outcome: { kind }, statusCode: null, error, latencyMs };
  }
  const { status, body } = answer;
  const asked = retryAfterMs(answer.retryAfter, now) ?? kind.retryAfterMs?.({ status, body }) ?? null;
  if (status < 200 || status > 299) {
    const outcome: DeliveryOutcome = { kind: 'status', status, retryAfterMs: asked };
    return { outcome, statusCode: status, error: `http_status ${status}`, latencyMs };
  }
  const refusal = kind.refusal({ status, body });
  if (refusal !== null) {
    const outcome: DeliveryOutcome = { kind: 'contradicted', retryAfterMs: asked };
    return { outcome, statusCode: status, error: `${refusal} ${status}`, latencyMs };
  }
  return { outcome: { kind: 'delivered' }, statusCode: status, error: null, latencyMs };
}

/** Retry-After in seconds or as an HTTP date (RFC 9110, section 10.2.3); null when absent or unreadable. */
function retryAfterMs(value: string | null, now: Date): number | null {
  if (value === null) return null;
  if (/^[0-9]{1,9}$/.test(value.trim())) return Number(value.trim()) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
