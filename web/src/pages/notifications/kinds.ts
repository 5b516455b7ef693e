// What the dashboard knows of the kinds of targets: what each needs, what it can carry, and what it begins with.
import {
  CHANNEL_FAMILIES,
  CHANNEL_NAMES,
  type ChannelFamily,
  type ChannelName,
  EVENT_NAMES,
  type EventName,
} from '#src/domain/names.ts';

/** The kind of a target as one of those that the dashboard knows; a newer one is treated like a webhook. */
export function kindOf(kind: string): ChannelName {
  return CHANNEL_NAMES.find((each) => each === kind) ?? 'webhook';
}

export const familyOf = (kind: ChannelName): ChannelFamily => CHANNEL_FAMILIES[kind];

/** Families in the order they are offered in, the loudest last. */
export const FAMILIES = ['chat', 'paging', 'webhook'] as const satisfies readonly ChannelFamily[];
export const kindsOf = (family: ChannelFamily): ChannelName[] =>
  CHANNEL_NAMES.filter((kind) => CHANNEL_FAMILIES[kind] === family);

/** Paging is about the state of a page: what does not change it cannot be told there. */
const PAGED: readonly OfferedEvent[] = ['opened', 'acknowledged', 'resolved', 'escalated', 'discarded'];

/** `test` is sent by the test button, whatever a target subscribes to. */
export type OfferedEvent = Exclude<EventName, 'test'>;

/** What a target of this kind can be subscribed to. */
export function offeredEvents(kind: ChannelName): OfferedEvent[] {
  return EVENT_NAMES.filter((event): event is OfferedEvent => {
    if (event === 'test') return false;
    if (familyOf(kind) !== 'paging') return true;
    return PAGED.includes(event) || (kind === 'opsgenie' && event === 'updated');
  });
}

/** What a new target of this kind begins with. */
export function usualEvents(kind: ChannelName): OfferedEvent[] {
  switch (familyOf(kind)) {
    case 'paging':
      return [...PAGED];
    case 'chat':
      return ['opened', 'acknowledged', 'resolved', 'escalated', 'maintenance_started', 'maintenance_ended'];
    default:
      return ['opened', 'acknowledged', 'resolved'];
  }
}
