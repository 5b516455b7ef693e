// The last 14 days, by day in the page's time zone. Consecutive days without events are one sentence.
import { DAY_MS } from '#src/domain/durations.ts';
import { html, type Markup } from '#src/platform/html.ts';
import { incidentLine } from './incident-story.ts';
import { windowMark, windowTimes } from './maintenance.ts';
import type { View } from './view.ts';

const DAYS = 14;

type PastEvent = { at: Date; line: Markup };

export function past(view: View): Markup {
  const { words, formats, href, shown } = view;
  const days = Map.groupBy(pastEvents(view), ({ at }) => formats.dayKey(at));
  return html`<section class="past" aria-labelledby="past"><h2 id="past">${words.past}</h2>${[
    ...days.values(),
  ].map(
    (ofDay) =>
      html`<h3>${formats.heading(ofDay[0]!.at)}</h3><ul class="events">${ofDay.map(({ line }) => line)}</ul>`,
  )}<p class="quiet">${days.size === 0 ? words.pastNone : words.pastOthers}</p><p><a${href(`${shown.path}/history`)}>${words.history}</a></p></section>`;
}

/** Resolved incidents and maintenance that is over, newest first. Open ones are above. */
function pastEvents(view: View): PastEvent[] {
  const { snapshot } = view;
  const from = snapshot.at.getTime() - DAYS * DAY_MS;
  const incidents = snapshot.incidents
    .filter(({ resolvedAt, startedAt }) => resolvedAt !== null && startedAt.getTime() >= from)
    .map((incident): PastEvent => ({ at: incident.startedAt, line: incidentLine(incident, view, 4) }));
  const windows = snapshot.maintenance
    .filter(
      ({ state, cancelledAt, startsAt }) => state === 'past' && !cancelledAt && startsAt.getTime() >= from,
    )
    .map(
      (window): PastEvent => ({
        at: window.startsAt,
        line: html`<li class="happening"><h4><bdi>${window.title}</bdi></h4><p class="facts">${windowMark(window, view)}<span>${windowTimes(window, view)}</span></p></li>`,
      }),
    );
  return [...incidents, ...windows].toSorted((a, b) => b.at.getTime() - a.at.getTime());
}
