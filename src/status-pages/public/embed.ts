// A small widget for the frame of another site: the state in one line, with a link to the page. Its script is the page's own,
// which keeps it current. In place of the page's name it says how old it is, once it cannot be kept current: nobody takes an old
// green for a new one.
import { html } from '#src/platform/html.ts';
import { documentOf } from './html/document.ts';
import { glyph } from './html/glyph.ts';
import { clock, sentence, viewOf } from './html/view.ts';
import type { Shown, Snapshot } from './snapshot.ts';
import { filled } from './words.ts';

/** `asOf`: the server could not read anything newer. */
export function renderEmbed(snapshot: Snapshot, shown: Shown, { asOf }: { asOf: boolean }): string {
  const { page, state, at } = snapshot;
  const view = viewOf(snapshot, shown);
  const { words } = view;
  const about = asOf ? sentence(words.embedOld, { time: clock(view, at) }) : html`<bdi>${page.name}</bdi>`;
  return documentOf({
    language: shown.language,
    title: `${words.headline[state]} · ${page.name}`,
    state,
    kind: 'embed',
    indexed: false,
    scripted: true,
    body: html`<main id="main"><a class="widget ${state}${asOf ? ' old' : ''}" href="${shown.url}" target="_blank" rel="noopener" title="${words.embedOpen}">${glyph(state)}<span><h1>${words.headline[state]}</h1><small>${about}</small><small id="stale" hidden data-words="${filled(words.embedOld, { time: '{time}' })}"></small></span></a></main><p class="unseen" id="live" role="status"></p>`,
  });
}
