// The page behind the button of an alarm mail: server-rendered, no scripts, light and dark, fit for a phone.
import { createHash } from 'node:crypto';
import { causeIn } from '../domain/cause-words.ts';
import { utcMinute } from '../domain/utc.ts';
import { html, Markup } from '../platform/html.ts';
import { nameInMail } from '../platform/mail/layout.ts';
import { filled } from '../platform/page-language.ts';
import type { Acknowledgement } from './acknowledge.ts';
import type { AlarmToAcknowledge, LinkState } from './alarm-of-link.ts';
import { type Language, WORDS } from './words.ts';

const STYLE = `:root{color-scheme:light dark;--ink:#1f2430;--soft:#5b6270;--ground:#fff;--line:#d9dce3;--act:#2f5bd7}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#a8adb7;--ground:#16181d;--line:#363a44;--act:#4a72e0}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
main{max-width:36rem;margin:0 auto;padding:2rem 1.25rem;overflow-wrap:anywhere}h1{font-size:1.5rem;line-height:1.3;margin:0 0 1rem}
ul{list-style:none;margin:0 0 1.25rem;padding:0;border:1px solid var(--line);border-radius:.5rem}li{padding:.625rem .875rem}
li+li{border-top:1px solid var(--line)}small{display:block;color:var(--soft);font-size:.875rem}
button,.button{display:inline-block;padding:.75rem 1.5rem;border:0;border-radius:.375rem;background:var(--act);color:#fff;font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
button:focus-visible,a:focus-visible{outline:3px solid var(--ink);outline-offset:2px}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Headers of all these pages: no scripts, no foreign resources, no caching, no indexing. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'Accept-Language',
};

/** Asks for confirmation, because mail scanners open links too. */
export function confirmPage(language: Language, alarm: AlarmToAcknowledge): string {
  const words = WORDS[language];
  const isDrill = alarm.drillId !== null;
  const organization = nameInMail(alarm.organization);
  const said = isDrill ? words.drill : alarm.total === 1 ? words.one : words.many;
  const person = nameInMail(alarm.personName);
  const who = person === '' ? alarm.email : `${person} (${alarm.email})`;
  return page(
    language,
    isDrill ? words.drillTitle : words.title,
    html`<p>${filled(said, { organization, count: alarm.total })}</p>
${isDrill ? null : listOf(language, alarm)}
<p>${filled(words.as, { person: who })}</p>
<form method="post"><button type="submit">${words.button}</button></form>`,
  );
}

function listOf(language: Language, { total, incidents }: AlarmToAcknowledge): Markup {
  const more = total - incidents.length;
  return html`<ul>${incidents.map((incident) => item(language, incident))}${more > 0 ? html`<li>${filled(WORDS[language].more, { count: more })}</li>` : null}</ul>`;
}

function item(
  language: Language,
  { monitorName, cause, startedAt }: AlarmToAcknowledge['incidents'][number],
): Markup {
  const why = nameInMail(causeIn(cause, language), 200);
  const name = nameInMail(monitorName ?? '') || why;
  const time = utcMinute(startedAt.getTime());
  const since = filled(WORDS[language].since, { time });
  return html`<li><strong>${name}</strong><small>${name === why ? '' : `${why}, `}${since}</small></li>`;
}

export function acknowledgedPage(
  language: Language,
  { orgId, incidentIds, drillId }: Acknowledgement,
): string {
  const words = WORDS[language];
  if (drillId !== null) {
    const path = `/app/o/${orgId}/on-call/drills/${drillId}`;
    return page(language, words.drillDoneTitle, html`<p>${words.drillDone}</p>${way(language, path)}`);
  }
  const sentence = incidentIds.length === 1 ? words.doneOne : words.doneMany;
  const [only] = incidentIds.length === 1 ? incidentIds : [];
  return page(
    language,
    words.doneTitle,
    html`<p>${filled(sentence, { count: incidentIds.length })}</p>${way(language, `/app/o/${orgId}/incidents${only ? `/${only}` : ''}`)}`,
  );
}

type Problem = Exclude<LinkState['kind'], 'open'> | 'busy' | 'broken';

/** Explains why nothing was changed. */
export function problemPage(language: Language, problem: Problem): string {
  const words = WORDS[language];
  return page(language, words[`${problem}Title`], html`<p>${words[problem]}</p>${way(language, '/app')}`);
}

const way = (language: Language, path: string) =>
  html`<p><a class="button" href="${path}">${WORDS[language].open}</a></p>`;

function page(language: Language, title: string, body: Markup): string {
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow"><meta name="color-scheme" content="light dark"><title>${title} · Tocsin</title>
<link rel="icon" href="data:,"><style>${STYLE_MARKUP}</style></head>
<body><main><h1>${title}</h1>
${body}</main></body></html>
`.text;
}

/** Trusted markup, the same in every page: the content security policy contains its hash. */
const STYLE_MARKUP = new Markup(STYLE);
