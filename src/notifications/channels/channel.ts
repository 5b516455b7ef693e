// What a kind of target is to delivery: how an event is told there, and what of an answer is a success. One file a kind.
import type { EventName, WebhookFamily, WebhookKind } from '#src/domain/names.ts';
import type { EventBody } from '../event-body.ts';

/** A target with its secret opened: the signing secret of a webhook, the provider key of paging, null for chat. */
export type Destination = { kind: WebhookKind; url: string; secret: string | null };

/** Incidents of a storm, told of together. */
export type Group = {
  no: number;
  /** Of the whole group, at the moment of the try. */
  total: number;
  open: number;
  unacknowledged: number;
};

/** An event as it was stored, and the signed-in person behind it, by name; null: nobody, or nobody who is known. */
export type EventToRender = EventBody & { actor: string | null };

/** What one try has to say. */
export type Message = {
  /** In the order in which they happened; one, or many of a group. */
  events: readonly EventToRender[];
  /** The body of a single event, byte for byte as stored. */
  stored: string;
  group: Group | null;
  /** Unique per try. */
  tryId: string;
  at: Date;
  /** Where people reach the dashboard, without a slash at the end. */
  baseUrl: string;
};

export type Exchange = { url: string; headers: Record<string, string>; body: string };

/** What a provider answered: its body cut off, undecoded but for UTF-8. */
export type Answer = { status: number; body: string };

export type Channel = {
  kind: WebhookKind;
  family: WebhookFamily;
  /** Whether it can say this at all; deliveries of other events are not made. */
  carries: (event: EventName) => boolean;
  /** What is sent, in order; the same message gives the same requests. Most kinds send one. */
  exchanges: (message: Message, to: Destination) => Exchange[];
  /** Why a 2xx answer is a failure all the same, as a stable class; null: it is a success. */
  refusal: (answer: Answer) => string | null;
  /** How long an answer asks to be waited for, where it says so in its body; the header is read for every kind. */
  retryAfterMs?: (answer: Answer) => number | null;
};
