// What a desk has taken and is sending.
import type { WebhookKind } from '../../domain/names.ts';
import type { Group } from '../kinds/kind.ts';
import type { Attempted } from '../send.ts';

export type Claimed = {
  id: string;
  created_at: Date;
  seq: number;
  lane: string;
  event: string;
  incident_id: string | null;
  attempts: number;
  leased_until: Date;
  body: string;
};

/** One message to send: a delivery, or all that wait in the lane of a group. */
export type Flight = {
  orgId: string;
  lane: string;
  deliveries: Claimed[];
  target: { id: string; name: string; kind: WebhookKind; url: string; secretSealed: string | null };
  group: Group | null;
  /** Its last try failed. */
  failing: boolean;
};

/** A try that is over. */
export type Landed = { flight: Flight; attempted: Attempted };
