// Small documents with a heading and little else: forms of locked pages, answers to a form, the not-found page. They reveal
// nothing about any status page.
import type { PageLanguage } from '#src/domain/names.ts';
import { html, type Markup } from '#src/platform/html.ts';
import { documentOf } from './document.ts';

export function smallPage(language: PageLanguage, title: string, body: Markup): string {
  return documentOf({
    language,
    title,
    state: null,
    kind: 'form',
    indexed: false,
    body: html`<main><h1>${title}</h1>${body}</main>`,
  });
}

/** The mistake, at the place where a screen reader finds it first. */
export const problemNotice = (text: string | null): Markup | null =>
  text === null ? null : html`<p class="notice problem" role="alert" id="problem">${text}</p>`;
