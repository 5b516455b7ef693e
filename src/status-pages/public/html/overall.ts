// The overall state at a glance: colour, shape and words.
import { html, type Markup } from '#src/platform/html.ts';
import { filled } from '../words.ts';
import { glyph } from './glyph.ts';
import { clock, prose, sentence, type View } from './view.ts';

/** A longer description, in characters, is collapsed. */
const LONG = 400;

export function overall(view: View): Markup {
  const { snapshot, words } = view;
  return html`<div class="overall ${snapshot.state}">${glyph(snapshot.state)}<div><h1>${words.headline[snapshot.state]}</h1><p>${affectedSentence(view)} <span class="updated">${sentence(words.updated, { time: clock(view, snapshot.at) })}</span></p></div></div>`;
}

/** The number of monitors that are down or degraded; null if none is. */
function affectedSentence({ snapshot, words }: View): string | null {
  const monitors = snapshot.groups.flatMap((group) => group.monitors);
  const count = monitors.filter(({ state }) => state === 'degraded' || state === 'major_outage').length;
  if (count === 0) return null;
  return `${filled(count === 1 ? words.affectedOne : words.affectedMany, { count, total: monitors.length })}.`;
}

/** The owner's description of the page. */
export function intro({ snapshot: { page }, words }: View): Markup | null {
  const { headline, description } = page;
  if (!headline && !description) return null;
  const text = prose(description ?? '');
  return html`<div class="intro">${headline ? html`<p class="headline" dir="auto">${headline}</p>` : null}${
    description && description.length > LONG
      ? html`<details data-key="about"><summary>${words.about}</summary>${text}</details>`
      : text
  }</div>`;
}
