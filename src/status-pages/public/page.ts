// The page itself, its history, and one of its incidents, as HTML.

import { oneLine } from '#src/domain/one-line.ts';
import { html, type Markup } from '#src/platform/html.ts';
import { documentOf } from './html/document.ts';
import { footer, staleNotice } from './html/footer.ts';
import { groups } from './html/groups.ts';
import { header, type PreviewLogos } from './html/header.ts';
import { history } from './html/history.ts';
import { incidentArticle } from './html/incident-article.ts';
import { openIncidents } from './html/incident-story.ts';
import { maintenanceNext, maintenanceNow } from './html/maintenance.ts';
import { intro, overall } from './html/overall.ts';
import { past } from './html/past.ts';
import { clock, sentence, type View, viewOf } from './html/view.ts';
import { incidentTitle } from './incident-title.ts';
import type { MonthlyUptime, Shown, Snapshot } from './snapshot.ts';

export { EMBED_HEADERS, PAGE_HEADERS } from './html/document.ts';

export type PageExtra = {
  /** The database is away, and this is the last snapshot: the page says so. */
  asOf: boolean;
  /** Whether visitors can subscribe by mail. */
  subscribe: boolean;
  /** For the editor: logos as data: URIs, links that lead nowhere, no script. */
  preview?: PreviewLogos;
};

type Frame = PageExtra & { title: string; description: string; address: string; main: Markup };

export function renderPage(snapshot: Snapshot, shown: Shown, extra: PageExtra): string {
  const view = viewOf(snapshot, shown, { inert: extra.preview !== undefined });
  const headline = view.words.headline[snapshot.state];
  return framed(view, {
    ...extra,
    title: `${headline} · ${oneLine(snapshot.page.name)}`,
    description: oneLine(snapshot.page.headline ?? '') || headline,
    address: shown.url,
    main: html`${overall(view)}${openIncidents(view)}${maintenanceNow(view)}${intro(view)}${groups(view)}${maintenanceNext(view)}${past(view)}`,
  });
}

/** Incidents and uptime by month; `months` is null while the figures cannot be read. */
export function renderHistory(
  snapshot: Snapshot,
  shown: Shown,
  months: MonthlyUptime[] | null,
  { asOf = false } = {},
): string {
  const view = viewOf(snapshot, shown);
  const { historyTitle, historyLead } = view.words;
  return framed(view, {
    asOf,
    subscribe: snapshot.page.subscribable,
    title: `${historyTitle} · ${oneLine(snapshot.page.name)}`,
    description: historyLead,
    address: `${shown.url}/history`,
    main: history(months, view),
  });
}

/** An incident with all its notes and its post-mortem; null: the page shows no such incident. */
export function renderIncident(
  snapshot: Snapshot,
  shown: Shown,
  incidentId: string,
  { asOf = false } = {},
): string | null {
  const incident = snapshot.incidents.find(({ id }) => id === incidentId);
  if (!incident) return null;
  const view = viewOf(snapshot, shown);
  const title = incidentTitle(view.words, incident);
  return framed(view, {
    asOf,
    subscribe: snapshot.page.subscribable,
    title: `${title} · ${oneLine(snapshot.page.name)}`,
    description: title,
    address: `${shown.url}/incidents/${incident.id}`,
    main: incidentArticle(incident, view),
  });
}

function framed(view: View, { title, description, address, main, asOf, subscribe, preview }: Frame): string {
  const { snapshot, shown, words } = view;
  const { page, state, at } = snapshot;
  const isPublic = page.accessMode === 'public';
  return documentOf({
    language: shown.language,
    title,
    state,
    kind: 'page',
    indexed: isPublic && !preview,
    scripted: !preview,
    head: preview ? null : headOf(view, { title, description, address }),
    body: html`<a class="skip"${view.href('#main')}>${words.skip}</a>${header(view, { preview, subscribe })}
<main id="main" tabindex="-1" data-state="${words.headline[state]}">${
      asOf ? html`<p class="notice">${sentence(words.asOf, { time: clock(view, at) })}</p>` : null
    }${main}</main>${staleNotice(view)}<p class="unseen" id="live" role="status"></p>
${footer(view, { subscribe })}`,
  });
}

function headOf(
  { snapshot: { page }, shown }: View,
  { title, description, address }: Pick<Frame, 'title' | 'description' | 'address'>,
): Markup {
  return html`<meta name="description" content="${description}"><link rel="canonical" href="${address}">
<meta property="og:type" content="website"><meta property="og:site_name" content="${oneLine(page.name)}"><meta property="og:title" content="${title}"><meta property="og:description" content="${description}"><meta property="og:url" content="${address}">${page.hasLogo && page.accessMode === 'public' ? html`<meta property="og:image" content="${shown.publicUrl}/logo">` : null}<meta name="twitter:card" content="summary">
<link rel="alternate" type="application/rss+xml" title="RSS" href="${shown.publicPath}/feed.rss"><link rel="alternate" type="application/atom+xml" title="Atom" href="${shown.publicPath}/feed.atom">
`;
}
