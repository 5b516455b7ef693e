// The kinds of targets: required fields, supported events, and defaults.
import {
  CHANNEL_FAMILIES,
  CHANNEL_NAMES,
  type ChannelFamily,
  type ChannelName,
  EVENT_NAMES,
  type EventName,
} from '#src/domain/names.ts';

/** The kind of a target; one that this dashboard does not know is treated like a webhook. */
export function kindOf(kind: string): ChannelName {
  return CHANNEL_NAMES.find((each) => each === kind) ?? 'webhook';
}

export const familyOf = (kind: ChannelName): ChannelFamily => CHANNEL_FAMILIES[kind];

/** Groups in the order in which they are offered, the loudest last. */
export const FAMILIES = ['chat', 'paging', 'webhook'] as const satisfies readonly ChannelFamily[];
export const kindsOf = (family: ChannelFamily): ChannelName[] =>
  CHANNEL_NAMES.filter((kind) => CHANNEL_FAMILIES[kind] === family);

/** A pager tracks the state of an incident: it has no use for events that do not change it. */
const PAGED: readonly OfferedEvent[] = ['opened', 'acknowledged', 'resolved', 'escalated', 'discarded'];

/** The test button sends `test`, whatever a target subscribes to. */
export type OfferedEvent = Exclude<EventName, 'test'>;

/** The events that a target of this kind can subscribe to. */
export function offeredEvents(kind: ChannelName): OfferedEvent[] {
  return EVENT_NAMES.filter((event): event is OfferedEvent => {
    if (event === 'test') return false;
    if (familyOf(kind) !== 'paging') return true;
    return PAGED.includes(event) || (kind === 'opsgenie' && event === 'updated');
  });
}

/** The default events of a new target of this kind. */
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
