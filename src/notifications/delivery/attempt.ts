// What a desk has taken and is sending.
import type { WebhookKind } from '#src/domain/names.ts';
import type { Group } from '../channels/channel.ts';
import type { Attempted } from './send.ts';

export type Claimed = {
  seq: number;
  id: string;
  created_at: Date;
  event_id: string;
  lane: string;
  /** The number of this try, from 1. */
  attempts: number;
  leased_until: Date;
};

/** What a delivery tells of. */
export type Content = {
  event: string;
  incident_id: string | null;
  body: string;
  /** The signed-in person behind it, by name. */
  actor: string | null;
};

/** One message to send: a delivery, or all that wait in the lane of a group. */
export type Flight = {
  orgId: string;
  lane: string;
  deliveries: (Claimed & Content)[];
  target: { id: string; name: string; kind: WebhookKind; url: string; secretSealed: string | null };
  group: Group | null;
  /** The last try of its target failed, or took long. */
  slow: boolean;
};

/** A try that is over. */
export type Landed = { flight: Flight; attempted: Attempted };
