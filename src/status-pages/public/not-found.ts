// The answer if there is no status page: the same for one that never existed, a draft, and an archived one.
import type { PageLanguage } from '#src/domain/names.ts';
import { html } from '#src/platform/html.ts';
import { smallPage } from './html/small-page.ts';
import { WORDS } from './words.ts';

export function renderNotFound(language: PageLanguage): string {
  const words = WORDS[language];
  return smallPage(language, words.notFoundTitle, html`<p>${words.notFound}</p>`);
}

/** The answer of a server that has not shown the page yet while the database is away. */
export function renderAway(language: PageLanguage): string {
  const words = WORDS[language];
  return smallPage(language, words.awayTitle, html`<p>${words.away}</p>`);
}
