// States as distinct shapes, so that they are legible without colours too.
import type { PageState } from '#src/domain/names.ts';
import { html, type Markup } from '#src/platform/html.ts';
import type { Words } from '../words.ts';

const SHAPES: Readonly<Record<PageState, Markup>> = {
  operational: html`<circle cx="8" cy="8" r="7"/><path class="cut" d="m4.8 8.3 2.2 2.2 4.3-4.6"/>`,
  degraded: html`<path class="edge" d="M8 2 15 14H1z"/><path class="cut" d="M8 6.4v3.2M8 11.8v.1"/>`,
  partial_outage: html`<path class="edge" d="M8 1 15 8 8 15 1 8z"/><path class="cut" d="M8 4.8v3.8M8 11v.1"/>`,
  major_outage: html`<rect x="1" y="1" width="14" height="14" rx="3"/><path class="cut" d="m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6"/>`,
  maintenance: html`<circle cx="8" cy="8" r="7"/><path class="cut" d="M8 4.2V8l2.6 1.8"/>`,
  no_data: html`<circle class="ring" cx="8" cy="8" r="6.2"/><path class="dash" d="M5.2 8h5.6"/>`,
};

/** The shape alone; the word is beside it. */
export const glyph = (state: PageState): Markup =>
  html`<svg class="glyph ${state}" viewBox="0 0 16 16" aria-hidden="true">${SHAPES[state]}</svg>`;

/** Shape and word. */
export const stateMark = (state: PageState, words: Words): Markup =>
  html`<span class="state ${state}">${glyph(state)}${words.state[state]}</span>`;
