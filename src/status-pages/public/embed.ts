// A small widget for the frame of another site: the state in one line, with a link to the page. Its script is the page's own,
// which keeps it current.
import { html } from '#src/platform/html.ts';
import { documentOf } from './html/document.ts';
import { glyph } from './html/glyph.ts';
import type { Shown, Snapshot } from './snapshot.ts';
import { WORDS } from './words.ts';

export function renderEmbed(snapshot: Snapshot, shown: Shown): string {
  const { page, state } = snapshot;
  const words = WORDS[shown.language];
  return documentOf({
    language: shown.language,
    title: `${words.headline[state]} · ${page.name}`,
    state,
    kind: 'embed',
    indexed: false,
    scripted: true,
    body: html`<main id="main"><a class="widget ${state}" href="${shown.url}" target="_blank" rel="noopener" title="${words.embedOpen}">${glyph(state)}<span><h1>${words.headline[state]}</h1><small><bdi>${page.name}</bdi></small></span></a></main><p class="unseen" id="live" role="status"></p>`,
  });
}
