// Incidents and maintenance of a status page as RSS 2.0 and Atom: one item each, kept current, identified by its id.
import { oneLine } from '#src/domain/one-line.ts';
import { html, type Markup } from '#src/platform/html.ts';
import { timeOfId } from '#src/platform/ids.ts';
import { whenNeeded } from '#src/platform/when-needed.ts';
import { type Formats, formatsOf } from './formats.ts';
import { incidentTitle, isolated } from './incident-title.ts';
import { latest } from './latest.ts';
import type { AffectedMonitor, PublicIncident, PublicWindow, Shown, Snapshot } from './snapshot.ts';
import { filled, WORDS, type Words } from './words.ts';
import { xmlText } from './xml-text.ts';

const feeds = whenNeeded<typeof import('feed')>('feed');

/** The most items of a feed. */
const MAX_ITEMS = 100;

type Item = { id: string; title: string; link: string; content: Markup; began: Date; changed: Date };

export function rssOf(snapshot: Snapshot, shown: Shown): string {
  const { feed, items } = feedOf(snapshot, shown, 'feed.rss');
  for (const { id, title, link, content, changed } of items)
    feed.addItem({ guid: id, link, date: changed, title: plain(title), description: xmlText(content.text) });
  return feed.rss2();
}

export function atomOf(snapshot: Snapshot, shown: Shown): string {
  const { feed, items } = feedOf(snapshot, shown, 'feed.atom');
  for (const { id, title, link, content, began, changed } of items)
    feed.addItem({
      id: `urn:tocsin:${id}`,
      link,
      date: changed,
      published: began,
      // The library declares titles of Atom as HTML.
      title: xmlText(html`${title}`.text),
      content: xmlText(content.text),
    });
  return feed.atom1();
}

function feedOf(snapshot: Snapshot, shown: Shown, file: string) {
  const { page } = snapshot;
  const words = WORDS[shown.language];
  const formats = formatsOf(shown.language, page.timezone);
  const items = [
    ...snapshot.incidents.map((incident) => incidentItem(incident, shown, words, formats)),
    ...snapshot.maintenance.map((window) => windowItem(window, shown, words, formats)),
  ]
    .toSorted((a, b) => b.changed.getTime() - a.changed.getTime())
    .slice(0, MAX_ITEMS);
  const feed = new (feeds().Feed)({
    id: shown.url,
    link: shown.url,
    title: plain(`${oneLine(page.name)} · ${words.status}`),
    description: plain(oneLine(page.headline ?? '')),
    language: shown.language,
    feed: `${shown.publicUrl}/${file}`,
    // The date that readers compare: it stays the same while nothing happens.
    updated: items[0]?.changed ?? new Date(0),
    generator: false,
    author: { name: plain(oneLine(page.name)) },
  });
  return { feed, items };
}

function incidentItem(incident: PublicIncident, shown: Shown, words: Words, formats: Formats): Item {
  const { id, startedAt, resolvedAt, notes, postmortem, monitors } = incident;
  const lasted = ((resolvedAt?.getTime() ?? 0) - startedAt.getTime()) / 1000;
  const times = resolvedAt
    ? filled(words.between, {
        from: formats.moment(startedAt),
        to: formats.moment(resolvedAt),
        duration: formats.duration(lasted),
      })
    : filled(words.sinceOnly, { time: formats.moment(startedAt) });
  const state = resolvedAt ? words.resolved : incident.acknowledgedAt ? words.acknowledged : words.open;
  return {
    id,
    title: `${incidentTitle(words, incident)} (${state})`,
    link: `${shown.url}/incidents/${id}`,
    content: html`<p><strong>${state}.</strong> ${times}</p>${affected(monitors, words)}${
      postmortem ? html`<p>${words.postmortem}: ${lines(postmortem.summary)}</p>` : null
    }${notes.map((note) => html`<p><strong>${formats.moment(note.at)}</strong><br>${lines(note.body)}</p>`)}`,
    began: startedAt,
    changed: latest([startedAt, incident.acknowledgedAt, resolvedAt, notes[0]?.at, postmortem?.changedAt]),
  };
}

function windowItem(window: PublicWindow, shown: Shown, words: Words, formats: Formats): Item {
  const { id, startsAt, endsAt, state, cancelledAt, changedAt } = window;
  const word = cancelledAt
    ? words.cancelled
    : { upcoming: words.planned, active: words.inProgress, past: words.completed }[state];
  const times = filled(words.between, {
    from: formats.moment(startsAt),
    to: formats.moment(endsAt),
    duration: formats.duration((endsAt.getTime() - startsAt.getTime()) / 1000),
  });
  return {
    id,
    title: `${words.feedMaintenance}: ${isolated(window.title)} (${word})`,
    link: `${shown.url}#${id}`,
    content: html`<p><strong>${word}.</strong> ${times}</p>${affected(window.monitors, words)}${
      window.body === '' ? null : html`<p>${lines(window.body)}</p>`
    }`,
    began: timeOfId(id),
    changed: cancelledAt ?? latest([turnedAt(window), changedAt]),
  };
}

/** When the work reached its state. */
function turnedAt({ id, state, startsAt, endsAt }: PublicWindow): Date {
  // The creation time of its id. A future date would make it the newest item for weeks, and some readers hide such items.
  if (state === 'upcoming') return timeOfId(id);
  return state === 'active' ? startsAt : endsAt;
}

const affected = (monitors: readonly AffectedMonitor[], words: Words): Markup | null =>
  monitors.length === 0
    ? null
    : html`<p>${words.affects} ${monitors.map(({ label }) => isolated(label)).join(', ')}</p>`;

const lines = (text: string): Markup[] =>
  text.split(/\r\n|\r|\n/).map((line, at) => (at === 0 ? html`${line}` : html`<br>${line}`));

/** The library puts titles into a CDATA section, and escapes only the first end of it. */
const plain = (text: string): string => xmlText(text).replaceAll(']]>', ']] >');
