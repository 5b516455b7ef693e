// Maintenance in progress, and planned maintenance.
import { html, type Markup } from '#src/platform/html.ts';
import type { PublicWindow } from '../snapshot.ts';
import { filled } from '../words.ts';
import { glyph } from './glyph.ts';
import { affected } from './incident-story.ts';
import { between, prose, type View } from './view.ts';

/** Planned windows that are visible at once; later ones are collapsed. */
const NEXT_AT_ONCE = 5;

/** Windows that are active; null if there are none. */
export function maintenanceNow(view: View): Markup | null {
  const active = view.snapshot.maintenance.filter(
    ({ state, cancelledAt }) => state === 'active' && !cancelledAt,
  );
  if (active.length === 0) return null;
  return html`<section class="incidents" aria-labelledby="now"><h2 id="now">${view.words.maintenanceNow}</h2>${active.map(
    (window) => article(window, view),
  )}</section>`;
}

/** Upcoming windows, including cancelled ones, so that people who wait for one learn of it. */
export function maintenanceNext(view: View): Markup | null {
  const next = view.snapshot.maintenance.filter(
    ({ state, cancelledAt }) => state === 'upcoming' || (cancelledAt && state === 'active'),
  );
  if (next.length === 0) return null;
  const later = next.slice(NEXT_AT_ONCE);
  return html`<section aria-labelledby="next"><h2 id="next">${view.words.maintenanceNext}</h2>${next
    .slice(0, NEXT_AT_ONCE)
    .map((window) => article(window, view))}${
    later.length === 0
      ? null
      : html`<details data-key="later"><summary>${filled(view.words.maintenanceMore, { count: later.length })}</summary>${later.map((window) => article(window, view))}</details>`
  }</section>`;
}

function article(window: PublicWindow, view: View): Markup {
  const { id, title, body, monitors, cancelledAt } = window;
  return html`<article class="incident maintenance${cancelledAt ? ' cancelled' : ''}" id="${id}" data-key="${id}"><h3><bdi>${title}</bdi></h3>
<p class="facts">${windowMark(window, view)}<span>${windowTimes(window, view)}</span></p>${affected(monitors, view)}${prose(body)}</article>`;
}

export function windowMark({ state, cancelledAt }: PublicWindow, { words }: View): Markup {
  if (cancelledAt) return html`<span class="tag no_data">${glyph('no_data')}${words.cancelled}</span>`;
  const word = { upcoming: words.planned, active: words.inProgress, past: words.completed }[state];
  return html`<span class="tag maintenance">${glyph('maintenance')}${word}</span>`;
}

export const windowTimes = ({ startsAt, endsAt }: PublicWindow, view: View): Markup =>
  between(view, startsAt, endsAt);
