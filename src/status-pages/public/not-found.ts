// The answer where no status page is: the same for one that never was, a draft, and one that is archived.
import type { PageLanguage } from '#src/domain/names.ts';
import { html } from '#src/platform/html.ts';
import { smallPage } from './html/small-page.ts';
import { WORDS } from './words.ts';

export function renderNotFound(language: PageLanguage): string {
  const words = WORDS[language];
  return smallPage(language, words.notFoundTitle, html`<p>${words.notFound}</p>`);
}

/** The answer while the database is away, from a server that has not shown the page before. */
export function renderAway(language: PageLanguage): string {
  const words = WORDS[language];
  return smallPage(language, words.awayTitle, html`<p>${words.away}</p>`);
}
