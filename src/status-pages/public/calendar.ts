// Public maintenance as iCalendar (RFC 5545), in UTC. A cancelled window stays in it, marked as cancelled, so that readers
// remove it.
import { oneLine } from '#src/domain/one-line.ts';
import { whenNeeded } from '#src/platform/when-needed.ts';
import { isolated } from './incident-title.ts';
import type { Shown, Snapshot } from './snapshot.ts';
import { filled, WORDS } from './words.ts';

const iCalendar = whenNeeded<typeof import('ical-generator')>('ical-generator');

/** How often readers should fetch it. */
const REFRESH_SECONDS = 3600;

export function calendarOf(snapshot: Snapshot, shown: Shown): string {
  const { ICalCalendar, ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } = iCalendar();
  const words = WORDS[shown.language];
  const file = new ICalCalendar({
    name: filled(words.calendarOf, { name: isolated(snapshot.page.name) }),
    prodId: { company: 'Tocsin', product: 'status-page', language: shown.language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  });
  for (const window of snapshot.maintenance) {
    const { id, title, body, startsAt, endsAt, cancelledAt, changedAt, monitors } = window;
    const affects =
      monitors.length === 0
        ? ''
        : `${words.affects} ${monitors.map(({ label }) => isolated(label)).join(', ')}`;
    file.createEvent({
      id: `${id}@tocsin`,
      start: startsAt,
      end: endsAt,
      // Not when it was read: the calendar stays the same while nothing happens.
      stamp: changedAt,
      lastModified: changedAt,
      summary: oneLine(title),
      description: [body, affects].filter((part) => part !== '').join('\n\n'),
      url: shown.url,
      status: cancelledAt ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      // A window makes nobody busy.
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  }
  return file.toString();
}
