// The frame of every HTML document of a status page: its head with style and script inline, and the headers with their hashes.
// A page loads nothing from anywhere else.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PageLanguage, PageState } from '#src/domain/names.ts';
import { html, Markup } from '#src/platform/html.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Without comments and indentation. */
const STYLE = read('page.css')
  .replace(/\/\*[\s\S]*?\*\//g, '')
  .replace(/\s+/g, ' ')
  .trim();
const SCRIPT = read('page.js');

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const POLICY = `default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; connect-src 'self'; img-src 'self' data:; base-uri 'none'`;

/** Headers of all pages but the widget. The route adds how long a page may be cached. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `${POLICY}; form-action 'self'; frame-ancestors 'none'`,
  'content-type': 'text/html; charset=utf-8',
};

/** Headers of the widget, which any site may frame. `x-frame-options` must be removed. */
export const EMBED_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `${POLICY}; form-action 'none'; frame-ancestors *`,
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-resource-policy': 'cross-origin',
};

/** Trusted markup, the same in every page: the content security policy has their hashes. */
const STYLE_MARKUP = new Markup(`<style>${STYLE}</style>`);
const SCRIPT_MARKUP = new Markup(`<script>${SCRIPT}</script>`);

/** Colours of a tab's icon, legible on light and dark backgrounds. */
const ICON_COLORS: Readonly<Record<PageState, string>> = {
  operational: '#2f9e68',
  degraded: '#c98a1b',
  partial_outage: '#d2691e',
  major_outage: '#d5383d',
  maintenance: '#5560d8',
  no_data: '#85878d',
};

export type Document = {
  language: PageLanguage;
  title: string;
  /** Colours the icon; null: a page without a state. */
  state: PageState | null;
  /** More of the head: descriptions and links. */
  head?: Markup | null;
  /** Class of the body. */
  kind: 'page' | 'form' | 'embed';
  /** Whether search engines may index it. */
  indexed: boolean;
  body: Markup;
  scripted?: boolean;
};

export function documentOf({
  language,
  title,
  state,
  head,
  kind,
  indexed,
  body,
  scripted,
}: Document): string {
  return html`<!doctype html>
<html lang="${language}" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><meta name="color-scheme" content="light dark"><meta name="referrer" content="same-origin">${
    indexed ? null : html`<meta name="robots" content="noindex, nofollow">`
  }
${head ?? null}<link rel="icon" href="${state === null ? 'data:,' : iconOf(state)}">${STYLE_MARKUP}</head>
<body class="${kind}">${body}${scripted ? SCRIPT_MARKUP : null}</body></html>
`.text;
}

const iconOf = (state: PageState): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="${ICON_COLORS[state]}"/></svg>`,
  )}`;
