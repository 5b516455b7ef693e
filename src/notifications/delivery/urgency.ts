// What goes out first. Within a lane the order is the lane's, whatever is urgent in it.
import { type RawBuilder, sql } from 'kysely';
import { type EventName, WEBHOOK_FAMILIES, type WebhookKind } from '#src/domain/names.ts';

const PAGING = Object.keys(WEBHOOK_FAMILIES).filter(
  (kind) => WEBHOOK_FAMILIES[kind as WebhookKind] === 'paging',
);
const FIRST: readonly EventName[] = ['opened'];
const SECOND: readonly EventName[] = ['acknowledged', 'resolved', 'escalated'];

/** Of an event and the kind of its target. 0: it wakes people; 1: it calls them off, or further ones in; 2: the rest. */
export const urgencyIn = (event: RawBuilder<string>, kind: RawBuilder<string>): RawBuilder<number> => sql`
  CASE WHEN ${kind} = ANY(${PAGING}::text[]) OR ${event} = ANY(${[...FIRST]}::text[]) THEN 0
    WHEN ${event} = ANY(${[...SECOND]}::text[]) THEN 1 ELSE 2 END`;
