// One attempt: a message is rendered for its channel and sent through the egress module, and the answer is judged.
import { randomBytes } from 'node:crypto';
import { ATTEMPT_MS } from '#src/domain/attempt-time.ts';
import type { DeliveryOutcome } from '#src/domain/backoff.ts';
import { CHANNEL_FAMILIES, type ChannelName, type PageLanguage } from '#src/domain/names.ts';
import type { NetworkPolicy } from '#src/platform/outbound/connect.ts';
import { OutboundFailure, PROBE_EXHAUSTED } from '#src/platform/outbound/failures.ts';
import { request } from '#src/platform/outbound/request.ts';
import type { Vault } from '#src/platform/secrets.ts';
import type { Channel, Exchange, Group } from '../channels/channel.ts';
import { channelOf } from '../channels/index.ts';
import type { EventBody } from '../event-body.ts';
import { isOperators, type OperatorAddresses } from '../targets/operator-addresses.ts';

/** A delivery that a worker has claimed, under a lease. */
export type Claimed = {
  seq: number;
  id: string;
  created_at: Date;
  event_id: string;
  /** Its ordering key (../ordering-key.ts). */
  lane: string;
  /** The number of this attempt, from 1. */
  attempts: number;
  leased_until: Date;
};

/** The event of a delivery. */
export type Content = {
  event: string;
  incident_id: string | null;
  body: string;
  /** The signed-in person who caused it, by name. */
  actor: string | null;
};

/** One message to send: a delivery, or all deliveries that wait under the ordering key of a group. */
export type Attempt = {
  orgId: string;
  orderingKey: string;
  deliveries: (Claimed & Content)[];
  target: {
    id: string;
    name: string;
    kind: ChannelName;
    url: string;
    secretSealed: string | null;
    /** Of its organization. */
    language: PageLanguage;
  };
  group: Group | null;
  /** The requests of the message, if they were rendered ahead. */
  rendered?: readonly Exchange[] | undefined;
  /** The last attempt for its target failed, or took long. */
  slow: boolean;
};

/** An attempt that has ended. */
export type AttemptResult = { attempt: Attempt; result: SendResult };

/**
 * Sends bytes and never throws: a failure is an answer too. `timeoutMs` limits the whole exchange; `to` is the kind of
 * target.
 */
export type Send = (request: Exchange & { timeoutMs: number; to?: ChannelName }) => Promise<Answered>;

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

export type Outgoing = {
  /** The id of its first delivery. */
  deliveryId: string;
  attempt: number;
  /** Stored bodies and the people who caused them, in order; more than one for a group only. */
  events: readonly [StoredEvent, ...StoredEvent[]];
  group: Group | null;
  target: {
    id: string;
    kind: ChannelName;
    url: string;
    secretSealed: string | null;
    language: PageLanguage;
  };
  rendered?: readonly Exchange[] | undefined;
};

export type SendResult = {
  outcome: DeliveryOutcome;
  statusCode: number | null;
  error: string | null;
  latencyMs: number;
  /** The id by which the message can be edited, where the provider can. */
  posted?: string | null;
};

/** The address of a chat target is its secret: it is stored sealed, beside a masked form. */
export const isChat = (kind: string): boolean => CHANNEL_FAMILIES[kind as ChannelName] === 'chat';

export const secretContext = (targetId: string) => `webhook ${targetId} secret`;

/**
 * Makes one attempt, in the form of the target's channel and with the secret of this moment. The first request that fails
 * ends it. `error` is a class and a status, never the receiver's words and never the address.
 */
export async function sendMessage(options: SendOptions, given: Outgoing): Promise<SendResult> {
  const startedAt = performance.now();
  let channel: Channel;
  let exchanges: readonly Exchange[];
  try {
    channel = channelOf(given.target.kind);
    exchanges = given.rendered ?? render(options, given, channel);
  } catch {
    // A newer server may know how to render it, so it is tried again. The error never contains stored data.
    return { outcome: { kind: 'unsendable' }, statusCode: null, error: 'cannot_be_rendered', latencyMs: 0 };
  }
  let last: SendResult | null = null;
  let posted: string | null = null;
  const queue = [...exchanges];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { orElse, ...exchange } = next;
    const spentMs = performance.now() - startedAt;
    // However many requests it makes (docs/rules/notifications.md#success-of-a-try).
    const timeoutMs = Math.max(1, ATTEMPT_MS - spentMs);
    const answer = await options.send({ ...exchange, timeoutMs, to: given.target.kind });
    if (orElse !== undefined && answer.kind === 'answered' && answer.status === 404) {
      if (orElse) queue.unshift(orElse);
      continue;
    }
    last = judge(channel, answer, options.clock(), Math.round(spentMs) + answer.latencyMs);
    if (last.outcome.kind !== 'delivered') return last;
    if (answer.kind === 'answered' && exchange.method === undefined)
      posted = channel.postedAs?.(answer) ?? posted;
  }
  if (last) return { ...last, posted };
  // No request is needed where the channel has no message for these events.
  return { outcome: { kind: 'delivered' }, statusCode: null, error: null, latencyMs: 0 };
}

/** The requests of a message, ahead of its attempt; undefined where the attempt has to find out why they cannot be made. */
export function renderAhead(options: SendOptions, given: Outgoing): readonly Exchange[] | undefined {
  try {
    return render(options, given, channelOf(given.target.kind));
  } catch {
    return undefined;
  }
}

function render({ vault, clock, baseUrl }: SendOptions, given: Outgoing, channel: Channel): Exchange[] {
  const { target, events, group, deliveryId, attempt: number } = given;
  const secret =
    target.secretSealed === null ? null : vault.open(target.secretSealed, secretContext(target.id));
  return channel.exchanges(
    {
      events: events.map(({ body, actor }) => ({ ...(JSON.parse(body) as EventBody), actor })),
      stored: events[0].body,
      group,
      // A replay counts its attempts from 1 again, and its ids have to differ all the same.
      tryId: `${deliveryId}-${number}-${randomBytes(4).toString('hex')}`,
      at: clock(),
      baseUrl,
      language: isChat(target.kind) ? target.language : 'en',
    },
    secret !== null && isChat(target.kind)
      ? { kind: target.kind, url: secret, secret: null }
      : { kind: target.kind, url: target.url, secret },
  );
}

/** Failures of this machine or of this program that happen before anything is sent. */
const OWN_CLASSES: ReadonlySet<string> = new Set(['probe_forbidden', 'probe_error', 'cannot_be_sent']);

function judge(channel: Channel, answer: Answered, now: Date, latencyMs: number): SendResult {
  if (answer.kind === 'failed') {
    const { failureClass: error } = answer;
    if (error === PROBE_EXHAUSTED)
      return { outcome: { kind: 'not_tried' }, statusCode: null, error, latencyMs };
    const isOurs = OWN_CLASSES.has(error);
    const outcome: DeliveryOutcome = { kind: 'network', ...(isOurs ? { isOurs } : {}) };
    return { outcome, statusCode: null, error, latencyMs };
  }
  const { status, body } = answer;
  const asked = retryAfterMs(answer.retryAfter, now) ?? channel.retryAfterMs?.({ status, body }) ?? null;
  if (status < 200 || status > 299) {
    const outcome: DeliveryOutcome = { kind: 'status', status, retryAfterMs: asked };
    return { outcome, statusCode: status, error: `http_status ${status}`, latencyMs };
  }
  const refusal = channel.refusal({ status, body });
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

/** Bytes of an answer that are read, to judge it (docs/rules/limits.md#sizes). */
const MAX_REPLY_BYTES = 64 * 1024;

/**
 * Sends through the egress module; a failure to reach the receiver is an answer with its class. Addresses that the operator
 * has configured may lie in the operator's own network, whatever organizations may reach.
 */
export function makeSend(options: {
  allowPrivate: boolean;
  operator?: OperatorAddresses;
  isOffLimits?: NetworkPolicy['isOffLimits'];
}): Send {
  const { operator, isOffLimits } = options;
  return async ({ url, method, headers, body, timeoutMs, to }) => {
    const trusted = operator !== undefined && to !== undefined && isOperators(to, url, operator);
    const allowPrivate = options.allowPrivate || trusted;
    const startedAt = performance.now();
    try {
      const reply = await request({
        url,
        method: method ?? 'POST',
        headers,
        body: Buffer.from(body, 'utf8'),
        policy: { allowPrivate, isOffLimits },
        timeoutMs,
        maxReplyBytes: MAX_REPLY_BYTES,
      });
      const retryAfter = reply.headers['retry-after'] ?? null;
      const { status, bodyText, latencyMs } = reply;
      return { kind: 'answered', status, retryAfter, body: bodyText, latencyMs };
    } catch (error) {
      return {
        kind: 'failed',
        failureClass: error instanceof OutboundFailure ? error.failureClass : 'cannot_be_sent',
        latencyMs: Math.round(performance.now() - startedAt),
      };
    }
  };
}
