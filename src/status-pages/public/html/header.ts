// The top of a page: logo or name, the owner's own links, and the link to the subscriptions.
import { hrefProblem } from '#src/domain/header-link.ts';
import { html, type Markup } from '#src/platform/html.ts';
import type { View } from './view.ts';

/** Logos of an unsaved draft, as data: URIs. */
export type PreviewLogos = { logo: string | null; logoDark: string | null };

type Given = { preview?: PreviewLogos | null | undefined; subscribe: boolean };

export function header(view: View, { preview = null, subscribe }: Given): Markup {
  const { snapshot, shown, words, href } = view;
  const { page } = snapshot;
  // The write checked them; this is the last check before a browser gets them.
  const links = page.headerNav.filter(({ href: address }) => hrefProblem(address) === null);
  return html`<header class="top"><a class="brand"${href(shown.path || '/')}>${brand(view, preview)}</a>${
    links.length === 0
      ? null
      : html`<nav aria-label="${words.nav}"><ul>${links.map(
          (link) => html`<li><a${href(link.href)} rel="noopener"><bdi>${link.label}</bdi></a></li>`,
        )}</ul></nav>`
  }<a class="button quiet"${href('#stay')}>${subscribe ? words.subscribe : words.feeds}</a></header>`;
}

/** A single logo is used on both backgrounds; if there is only a dark one, light backgrounds show the name. */
function brand({ snapshot: { page }, shown }: View, preview: PreviewLogos | null): Markup {
  const light = preview ? preview.logo : page.hasLogo ? `${shown.publicPath}/logo` : null;
  const dark = preview ? preview.logoDark : page.hasLogoDark ? `${shown.publicPath}/logo-dark` : null;
  const name = html`<bdi>${page.name}</bdi>`;
  if (light === null && dark === null) return name;
  if (light === null)
    return html`<span class="on-light">${name}</span><img class="on-dark" src="${dark}" alt="${page.name}">`;
  return html`<picture>${
    dark === null ? null : html`<source media="(prefers-color-scheme: dark)" srcset="${dark}">`
  }<img src="${light}" alt="${page.name}"></picture>`;
}
