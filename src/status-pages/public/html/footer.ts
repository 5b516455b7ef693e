// The end of a page: ways to stay informed, the time zone, the language, and the product's name.
import { PAGE_LANGUAGES } from '#src/domain/names.ts';
import { html, type Markup } from '#src/platform/html.ts';
import { filled } from '../words.ts';
import { sentence, type View } from './view.ts';

const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

export function footer(view: View, { subscribe }: { subscribe: boolean }): Markup {
  const { snapshot, shown, words, href } = view;
  const { timezone, hidesBrand } = snapshot.page;
  return html`<footer aria-label="${words.footer}"><section class="stay" id="stay"><h2>${words.stay}</h2>${
    subscribe ? mailForm(view) : null
  }<ul class="links"><li><a${href(`${shown.publicPath}/feed.rss`)}>RSS</a></li><li><a${href(`${shown.publicPath}/feed.atom`)}>Atom</a></li><li><a${href(`${shown.publicPath}/maintenance.ics`)}>${words.calendar}</a></li><li><a${href(`${shown.publicPath}/summary.json`)}>JSON</a></li></ul></section>
<div class="small"><p data-zone="${words.ownZone}">${sentence(words.zone, { zone: timezone })}</p>
<nav aria-label="${words.language}"><ul>${PAGE_LANGUAGES.map((language) =>
    language === shown.language
      ? html`<li><span aria-current="true" lang="${language}">${LANGUAGE_NAMES[language]}</span></li>`
      : html`<li><a${href(`${shown.home}/${language}`)} lang="${language}" hreflang="${language}">${LANGUAGE_NAMES[language]}</a></li>`,
  )}</ul></nav>${leaveForm(view)}${hidesBrand ? null : html`<p class="made">${words.brand}</p>`}</div></footer>`;
}

/** Visitors of locked pages may leave a computer that others use too. */
function leaveForm({ snapshot, shown, words, inert }: View): Markup | null {
  if (snapshot.page.accessMode === 'public') return null;
  return html`<form${inert ? html` inert` : null} class="leave" method="post" action="${shown.publicPath}/logout"><button type="submit">${words.signOut}</button></form>`;
}

function mailForm({ shown, words, inert }: View): Markup {
  return html`<form${inert ? html` inert` : null} method="post" action="${shown.publicPath}/subscriptions"><label for="email">${words.email}</label><div class="row"><input id="email" name="email" type="email" autocomplete="email" maxlength="254" required aria-describedby="mail-lead"><button type="submit">${words.subscribe}</button></div><p id="mail-lead">${words.mailLead}</p></form>`;
}

/** The script's text while it cannot fetch the page. */
export const staleNotice = ({ words }: View): Markup =>
  html`<p class="notice" id="stale" hidden data-words="${filled(words.stale, { time: '{time}' })}"></p>`;
