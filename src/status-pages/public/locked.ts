// The forms of a locked page: the shared password, the sign-in of viewers, and the choice of their password. They work without
// a script, and reveal nothing about the page, not even its name.
import type { PageLanguage } from '#src/domain/names.ts';
import { html, type Markup } from '#src/platform/html.ts';
import { problemNotice, smallPage } from './html/small-page.ts';
import { WORDS } from './words.ts';

export type Locked = {
  kind: 'password' | 'viewer';
  language: PageLanguage;
  /** Address that the form is posted to: `…/unlock` or `…/login`. */
  action: string;
  /** Address of the form for a forgotten password; null: no mail can be sent, or the page has no viewers. */
  forgotHref: string | null;
  problem: null | 'wrong' | 'slowed';
};

export function renderLocked({ kind, language, action, forgotHref, problem }: Locked): string {
  const words = WORDS[language];
  const wrong = kind === 'password' ? words.wrongPassword : words.wrongSignIn;
  const said = problem === null ? null : problem === 'wrong' ? wrong : words.slowed;
  const isWrong = problem === 'wrong';
  const fields =
    kind === 'password'
      ? passwordField(words.password, 'current-password', isWrong, true)
      : html`<label for="username">${words.username}</label><input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus>${passwordField(words.password, 'current-password', isWrong, false)}`;
  return smallPage(
    language,
    words.lockedTitle,
    html`<p>${kind === 'password' ? words.lockedPassword : words.lockedViewer}</p>${problemNotice(said)}
<form method="post" action="${action}">${fields}<button type="submit">${kind === 'password' ? words.unlock : words.signIn}</button></form>${
      forgotHref === null ? null : html`<p class="way"><a href="${forgotHref}">${words.forgot}</a></p>`
    }`,
  );
}

export type ForgotPassword = {
  language: PageLanguage;
  action: string;
  /** Address of the sign-in. */
  backHref: string;
  /** After the form was sent: the same answer whether or not the address has an account. */
  sent: boolean;
  problem: null | 'slowed';
};

export function renderForgotPassword({ language, action, backHref, sent, problem }: ForgotPassword): string {
  const words = WORDS[language];
  const back = html`<p class="way"><a href="${backHref}">${words.forgotBack}</a></p>`;
  if (sent)
    return smallPage(language, words.forgotTitle, html`<p role="status">${words.forgotSent}</p>${back}`);
  return smallPage(
    language,
    words.forgotTitle,
    html`<p>${words.forgotLead}</p>${problemNotice(problem === null ? null : words.slowed)}
<form method="post" action="${action}"><label for="email">${words.email}</label><input id="email" name="email" type="email" autocomplete="email" maxlength="254" required autofocus><button type="submit">${words.forgotSend}</button></form>${back}`,
  );
}

export type ChoosePassword = {
  language: PageLanguage;
  action: string;
  /** From the mailed link; sent along with the form. */
  token: string;
  /** `spent`: the link is no longer valid, so there is no form. */
  problem: null | 'too_short' | 'too_long' | 'slowed' | 'spent';
  /** Address of the form for a new link; null: there is none. */
  forgotHref: string | null;
};

export function renderChoosePassword(given: ChoosePassword): string {
  const { language, action, token, problem, forgotHref } = given;
  const words = WORDS[language];
  if (problem === 'spent')
    return smallPage(
      language,
      words.chooseTitle,
      html`${problemNotice(words.linkSpent)}${forgotHref === null ? null : html`<p class="way"><a href="${forgotHref}">${words.forgot}</a></p>`}`,
    );
  const said =
    problem === null
      ? null
      : { too_short: words.tooShort, too_long: words.tooLong, slowed: words.slowed }[problem];
  const isWrong = problem === 'too_short' || problem === 'too_long';
  return smallPage(
    language,
    words.chooseTitle,
    html`<p>${words.chooseLead}</p>${problemNotice(said)}
<form method="post" action="${action}"><input type="hidden" name="token" value="${token}">${passwordField(words.newPassword, 'new-password', isWrong, true)}<button type="submit">${words.choose}</button></form>`,
  );
}

/** `isWrong`: the notice above is about this field. */
function passwordField(
  label: string,
  autocomplete: 'current-password' | 'new-password',
  isWrong: boolean,
  isFirst: boolean,
): Markup {
  return html`<label for="password">${label}</label><input id="password" name="password" type="password" autocomplete="${autocomplete}"${
    autocomplete === 'new-password' ? html` minlength="8"` : null
  } maxlength="128" required${isWrong ? html` aria-invalid="true" aria-describedby="problem"` : null}${isFirst ? html` autofocus` : null}>`;
}
