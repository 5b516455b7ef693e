// A channel is one kind of notification target: how a message looks there, and which answers are a success. Each channel has
// a file of its own. The database and the API call it the target's `kind`.
import type { ChannelFamily, ChannelName, EventName } from '#src/domain/names.ts';
import type { EventBody } from '../event-body.ts';

/** A target with its secret opened: the signing secret of a webhook, the provider key of paging, null for chat. */
export type Destination = { kind: ChannelName; url: string; secret: string | null };

/** Open while anything of it waits for somebody. */
export type GroupState = 'open' | 'acknowledged' | 'over';

export type GroupMember = { name: string; cause: string; state: GroupState };

/** The incidents of a group that woke people with one alarm. */
export type GroupPage = { alarmNo: number; total: number; open: number; unacknowledged: number };

/** Incidents of a storm, which share one message, at the moment of the attempt. */
export type Group = {
  no: number;
  /** What they share, in words; null: nothing. */
  name: string | null;
  total: number;
  open: number;
  unacknowledged: number;
  /** What the last message said; null: there was none. */
  reported: GroupState | null;
  /** The message at the provider that this one may edit. */
  posted: string | null;
  /** Incidents that have pages of their own, which the page of the group replaces. */
  paged: readonly string[];
  /** The first of its incidents, open ones first. */
  members: readonly GroupMember[];
  /** The alarms of the incidents that this message is about. */
  pages: readonly GroupPage[];
};

/** An event as it was stored, and the name of the person who caused it; null: nobody, or nobody known by name. */
export type EventToRender = EventBody & { actor: string | null };

/** The message of one attempt. */
export type Message = {
  /** In the order in which they happened: one event, or many of a group. */
  events: readonly EventToRender[];
  /** The body of a single event, byte for byte as stored. */
  stored: string;
  group: Group | null;
  /** Unique for each attempt. */
  tryId: string;
  at: Date;
  /** Where people reach the dashboard, without a slash at the end. */
  baseUrl: string;
};

export type Exchange = {
  url: string;
  /** POST where it says nothing. */
  method?: 'PATCH';
  headers: Record<string, string>;
  body: string;
  /** Sent instead where the provider answers 404: the message that this edits is gone. null: nothing. */
  orElse?: Exchange | null;
};

/** The answer of a provider: its body is cut to a limit and decoded as UTF-8. */
export type Answer = { status: number; body: string };

export type Channel = {
  kind: ChannelName;
  family: ChannelFamily;
  /** Whether the channel has a message for this event; no deliveries are made for other events. */
  carries: (event: EventName) => boolean;
  /** The requests to send, in order; the same message gives the same requests. Most channels send one. */
  exchanges: (message: Message, to: Destination) => Exchange[];
  /** Why a 2xx answer is a failure all the same, as a stable class; null: it is a success. */
  refusal: (answer: Answer) => string | null;
  /** By what the message that was just sent can be edited; absent where the provider cannot. */
  postedAs?: (answer: Answer) => string | null;
  /** The pause that an answer asks for in its body; `Retry-After` is read for every channel. */
  retryAfterMs?: (answer: Answer) => number | null;
};
