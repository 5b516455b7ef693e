// The pages behind the links in mails: without scripts, and with a button for each step, because mail scanners open links.

import type { PageLanguage } from '#src/domain/names.ts';
import { html, type Markup } from '#src/platform/html.ts';
import { filled } from '#src/platform/page-language.ts';
import { problemNotice, smallPage } from '../public/html/small-page.ts';
import { isolated } from '../public/incident-title.ts';
import type { Subscriber } from './choose.ts';
import { SUBSCRIPTION_WORDS } from './words.ts';

const back = (language: PageLanguage, home: string): Markup =>
  html`<p class="way"><a href="${home}">${SUBSCRIPTION_WORDS[language].back}</a></p>`;

/** After a request for mails; the same whether or not the address is known. */
export function renderCheckMail(language: PageLanguage, home: string): string {
  const words = SUBSCRIPTION_WORDS[language];
  return smallPage(
    language,
    words.checkMailTitle,
    html`<p role="status">${words.checkMail}</p>${back(language, home)}`,
  );
}

export type SubscribeProblem = 'subscribeProblem' | 'subscribeBusy' | 'subscribeFull';

export function renderSubscribeProblem(
  language: PageLanguage,
  home: string,
  problem: SubscribeProblem,
): string {
  const words = SUBSCRIPTION_WORDS[language];
  return smallPage(language, words[problem], back(language, home));
}

export function renderConfirm({ language, pageName }: Subscriber): string {
  const words = SUBSCRIPTION_WORDS[language];
  return smallPage(
    language,
    filled(words.confirmTitle, { page: isolated(pageName) }),
    html`<form method="post"><button type="submit">${words.confirmButton}</button></form>`,
  );
}

export function renderConfirmed({ language, slug }: Subscriber): string {
  const words = SUBSCRIPTION_WORDS[language];
  return smallPage(
    language,
    words.confirmedTitle,
    html`<p role="status">${words.confirmed}</p>${back(language, `/status/${slug}`)}`,
  );
}

export function renderSpent(language: PageLanguage): string {
  const words = SUBSCRIPTION_WORDS[language];
  return smallPage(language, words.spentTitle, html`<p>${words.spent}</p>`);
}

/** The choice of a subscriber, and the unsubscribe button, which posts to `unsubscribe`. */
export function renderManage(
  { language, pageName, email, slug, monitors, allMonitors }: Subscriber,
  unsubscribe: string,
  said: { isSaved: boolean; problem: string | null },
): string {
  const words = SUBSCRIPTION_WORDS[language];
  const checked = (is: boolean) => (is ? html` checked` : null);
  const choices = monitors.map(
    ({ id, label, chosen }) =>
      html`<li><label class="choice"><input type="checkbox" name="monitor" value="${id}"${checked(chosen)}> <bdi>${label}</bdi></label></li>`,
  );
  return smallPage(
    language,
    words.manageTitle,
    html`<p>${filled(words.manageLead, { page: isolated(pageName), email })}</p>${problemNotice(said.problem)}${
      said.isSaved ? html`<p class="notice" role="status">${words.saved}</p>` : null
    }
<form method="post"><fieldset><label class="choice"><input type="radio" name="what" value="all"${checked(allMonitors)}> ${words.all}</label>
${
  choices.length === 0
    ? null
    : html`<label class="choice"><input type="radio" name="what" value="some"${checked(!allMonitors)}> ${words.some}</label><ul class="choices">${choices}</ul>`
}</fieldset><button type="submit">${words.save}</button></form>
<form method="post" action="${unsubscribe}"><button type="submit" class="quiet">${words.unsubscribe}</button></form>${back(language, `/status/${slug}`)}`,
  );
}

export function renderUnsubscribed({ language, pageName, slug }: Subscriber): string {
  const words = SUBSCRIPTION_WORDS[language];
  return smallPage(
    language,
    words.unsubscribedTitle,
    html`<p role="status">${filled(words.unsubscribed, { page: isolated(pageName) })}</p>${back(language, `/status/${slug}`)}`,
  );
}
