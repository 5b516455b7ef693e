// One incident with all its notes, and its post-mortem.
import { html, type Markup } from '#src/platform/html.ts';
import { titleMarkup } from '../incident-title.ts';
import type { PublicIncident, PublicPostmortem } from '../snapshot.ts';
import { affected, answerMark, noteList, sinceSentence } from './incident-story.ts';
import { moment, sentence, type View, written } from './view.ts';

export function incidentArticle(incident: PublicIncident, view: View): Markup {
  const { words, href, shown } = view;
  const { monitors, notes, postmortem } = incident;
  return html`<p class="way"><a${href(shown.path || '/')}>${words.back}</a></p><article class="whole"><h1>${titleMarkup(words, incident)}</h1>
<p class="facts">${answerMark(incident, view)}<span>${sinceSentence(incident, view)}</span></p>${affected(monitors, view)}${
    postmortem ? postmortemOf(postmortem, view) : null
  }${story(incident, view)}${notes.length === 0 ? html`<p class="quiet">${words.noNotes}</p>` : null}</article>`;
}

/** The notes between the end and the beginning, newest first. */
function story({ notes, startedAt, resolvedAt }: PublicIncident, view: View): Markup {
  const { words } = view;
  const step = (at: Date, said: string) =>
    html`<li class="step"><p class="when"><strong>${said}</strong> ${moment(view, at)}</p></li>`;
  return html`<section class="story" aria-labelledby="timeline"><h2 id="timeline">${words.timeline}</h2>${
    resolvedAt ? html`<ol class="notes">${step(resolvedAt, words.ended)}</ol>` : null
  }${notes.length > 0 ? noteList(notes, view, 2) : null}<ol class="notes">${step(startedAt, words.began)}</ol></section>`;
}

function postmortemOf(postmortem: PublicPostmortem, view: View): Markup {
  const { words } = view;
  const fields = Object.entries(words.sections) as [keyof typeof words.sections, string][];
  return html`<section class="postmortem" id="postmortem" aria-labelledby="postmortem-title"><h2 id="postmortem-title">${words.postmortem}</h2><p class="quiet">${sentence(words.published, { time: moment(view, postmortem.publishedAt) })}</p>${fields
    .filter(([field]) => postmortem[field] !== '')
    .map(([field, name]) => html`<h3>${name}</h3>${written(postmortem[field], 3)}`)}</section>`;
}
