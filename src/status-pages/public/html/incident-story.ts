// An incident as a story: its subject, its start, and its notes, newest first.
import { html, type Markup } from '#src/platform/html.ts';
import { incidentTitle, titleMarkup } from '../incident-title.ts';
import type { AffectedMonitor, PublicIncident, PublicNote } from '../snapshot.ts';
import { filled } from '../words.ts';
import { glyph } from './glyph.ts';
import { between, moment, secondsBetween, sentence, type View, written } from './view.ts';

/** Notes that are visible at once; earlier ones are collapsed. */
const NOTES_AT_ONCE = 3;

const incidentHref = ({ shown }: View, { id }: PublicIncident): string => `${shown.path}/incidents/${id}`;

/** The title as a link to the whole story. */
export const incidentLink = (incident: PublicIncident, view: View): Markup =>
  html`<a class="story-link"${view.href(incidentHref(view, incident))}>${titleMarkup(view.words, incident)}</a>`;

/** All open incidents; null if there are none. */
export function openIncidents(view: View): Markup | null {
  const open = view.snapshot.incidents.filter(({ resolvedAt }) => resolvedAt === null);
  if (open.length === 0) return null;
  return html`<section class="incidents" aria-labelledby="open"><h2 id="open">${view.words.openIncidents}</h2>${open.map(
    (incident) => openIncident(incident, view),
  )}</section>`;
}

function openIncident(incident: PublicIncident, view: View): Markup {
  return html`<article class="incident open ${incident.severity}" data-key="${incident.id}"><h3>${incidentLink(incident, view)}</h3>
<p class="facts">${answerMark(incident, view)}<span>${sinceSentence(incident, view)}</span></p>${affected(incident.monitors, view)}${
    incident.notes.length === 0 ? null : collapsedNotes(incident.notes, view)
  }</article>`;
}

/** The response of people to it. */
export function answerMark(
  { resolvedAt, acknowledgedAt, severity }: PublicIncident,
  { words }: View,
): Markup {
  if (resolvedAt) return html`<span class="tag operational">${glyph('operational')}${words.resolved}</span>`;
  const tone = severity === 'critical' ? 'major_outage' : 'degraded';
  return acknowledgedAt
    ? html`<span class="tag maintenance">${glyph('maintenance')}${words.acknowledged}</span>`
    : html`<span class="tag ${tone}">${glyph(tone)}${words.open}</span>`;
}

/** Its start, or its start and end. */
export function sinceSentence({ startedAt, resolvedAt }: PublicIncident, view: View): Markup {
  const { words, formats, snapshot } = view;
  if (resolvedAt) return between(view, startedAt, resolvedAt);
  const duration = formats.duration(secondsBetween(startedAt, snapshot.at));
  return sentence(words.since, { time: moment(view, startedAt), duration });
}

export const affected = (monitors: readonly AffectedMonitor[], { words }: View): Markup | null =>
  monitors.length === 0
    ? null
    : html`<p class="affected"><span>${words.affects}</span> ${monitors.map(
        ({ label }, at) => html`${at > 0 ? ', ' : null}<bdi>${label}</bdi>`,
      )}</p>`;

function collapsedNotes(notes: readonly PublicNote[], view: View): Markup {
  const earlier = notes.slice(NOTES_AT_ONCE);
  return html`${noteList(notes.slice(0, NOTES_AT_ONCE), view, 3)}${
    earlier.length === 0
      ? null
      : html`<details data-key="notes"><summary>${filled(view.words.olderNotes, { count: earlier.length })}</summary>${noteList(earlier, view, 3)}</details>`
  }`;
}

/** `under`: the level of the heading above them. */
export const noteList = (notes: readonly PublicNote[], view: View, under: 2 | 3): Markup =>
  html`<ol class="notes">${notes.map(
    (note) =>
      html`<li><p class="when"><strong>${view.words[note.kind]}</strong> ${moment(view, note.at)}</p>${written(note.body, under)}</li>`,
  )}</ol>`;

/** One line of a resolved incident, or of an open one in a list of all. */
export function incidentLine(incident: PublicIncident, view: View, level: 3 | 4): Markup {
  const { words, href } = view;
  const newest = incident.notes[0];
  const title = incidentLink(incident, view);
  return html`<li class="happening">${level === 3 ? html`<h3>${title}</h3>` : html`<h4>${title}</h4>`}<p class="facts">${answerMark(incident, view)}<span>${sinceSentence(incident, view)}</span></p>${
    newest ? written(newest.body, level) : null
  }${
    incident.postmortem
      ? html`<p><a${href(`${incidentHref(view, incident)}#postmortem`)} aria-label="${words.readPostmortem}: ${incidentTitle(words, incident)}">${words.readPostmortem}</a></p>`
      : null
  }</li>`;
}
