// A channel is one kind of notification target. It defines how a message looks and which responses mean success. Each channel
// has a file of its own. The database and the API call it the target's `kind`.
import type { ChannelFamily, ChannelName, EventName, PageLanguage } from '#src/domain/names.ts';
import type { SeverityRank } from '#src/domain/severity-rank.ts';
import type { EventBody } from '../event-body.ts';

/** A target with its secret opened: the signing secret of a webhook, the provider key of paging, null for chat. */
export type Destination = { kind: ChannelName; url: string; secret: string | null };

/** `open` while any of its incidents is open and not acknowledged. */
export type GroupState = 'open' | 'acknowledged' | 'over';

export type GroupMember = { name: string; cause: string; state: GroupState };

/** The incidents of a group that woke people with one alarm. */
export type GroupPage = {
  alarmNo: number;
  total: number;
  open: number;
  unacknowledged: number;
  /** Of its open incidents. */
  worst: SeverityRank;
  /** The target has this page, or gets it with this message. Otherwise the message opens none. */
  mayOpen: boolean;
};

/** Incidents of a storm, which share one message, at the moment of the attempt. */
export type Group = {
  no: number;
  /** The name of the storm; null: its incidents share nothing. */
  name: string | null;
  total: number;
  open: number;
  unacknowledged: number;
  /** The state in the last message; null: there was none. */
  reported: GroupState | null;
  /** The message at the provider that this one may edit. */
  posted: string | null;
  /** Incidents with pages of their own, which the group's page replaces. */
  paged: readonly string[];
  /** The first of its incidents, open ones first. */
  members: readonly GroupMember[];
  /** For a paging target, the alarms that this message is about. */
  pages: readonly GroupPage[];
};

/** A stored event with the name of the person who caused it; null: nobody, or nobody with a known name. */
export type EventToRender = EventBody & { actor: string | null };

/** The message of one attempt. */
export type Message = {
  /** One event, or many of a group, in the order in which they happened. */
  events: readonly EventToRender[];
  /** The body of a single event, byte for byte as stored. */
  stored: string;
  group: Group | null;
  /** Unique for each attempt. */
  tryId: string;
  at: Date;
  /** Where people reach the dashboard, without a slash at the end. */
  baseUrl: string;
  /** The organization's for a chat. English for everything else: what webhooks and providers get is data. */
  language: PageLanguage;
};

export type Exchange = {
  url: string;
  /** Absent: POST. */
  method?: 'PATCH';
  headers: Record<string, string>;
  body: string;
  /** Sent instead when the provider answers 404 because the message to edit is gone; null: nothing. */
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
  /** The failure class of a 2xx response that is a failure nonetheless; null: it is a success. */
  refusal: (answer: Answer) => string | null;
  /** The id by which the sent message can be edited; absent for providers that cannot edit. */
  postedAs?: (answer: Answer) => string | null;
  /** The pause that a response body asks for; `Retry-After` is read for every channel. */
  retryAfterMs?: (answer: Answer) => number | null;
};
