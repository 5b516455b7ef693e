// The layout of every mail: a heading, paragraphs, a list, at most one button, links, small print. It renders HTML and
// plain text from the same input and escapes every text.

import { isolated } from '#src/domain/direction.ts';
import { oneLine } from '#src/domain/one-line.ts';
import { unlinked } from '#src/domain/unlinked.ts';

const BUTTON_BROKEN = {
  en: 'If the button does not work, open this address:',
  de: 'Wenn der Knopf nicht funktioniert, öffnen Sie diese Adresse:',
} as const;

const MAX_ADDRESS_CHARACTERS = 254;

export type Link = { label: string; url: string };

export type MailContent = {
  /** English by default. */
  language?: 'en' | 'de';
  title: string;
  paragraphs: readonly string[];
  /** A list below the paragraphs. */
  items?: readonly string[];
  button?: Link;
  /** Below the button, as plain links. */
  links?: readonly Link[];
  /** Below the button, in smaller type: for readers who got this mail by mistake. */
  smallPrint?: readonly string[];
};

/** Renders both bodies. Texts may contain anything; addresses must be http(s). */
export function layout(content: MailContent): { html: string; text: string } {
  for (const { url } of [...(content.button ? [content.button] : []), ...(content.links ?? [])])
    if (!/^https?:\/\/[^\s"<>]+$/.test(url))
      throw new Error('a button or link of a mail leads to an http or https address');
  const lines: MailContent = {
    ...content,
    title: oneLine(content.title),
    paragraphs: content.paragraphs.map(oneLine),
    items: (content.items ?? []).map(oneLine),
    smallPrint: (content.smallPrint ?? []).map(oneLine),
  };
  return { html: html(lines), text: text(lines) };
}

/**
 * A name or another text from a user for the middle of a sentence: one line, at most `most` characters, without anything that a
 * mail program turns into a link, and without its own direction controls: one that runs from right to left is isolated.
 */
export function nameInMail(name: string, most = 80): string {
  const line = oneLine(name.replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, ''));
  const characters = [...line];
  return isolated(unlinked(characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line));
}

/** A mail address that somebody typed, in full: it may contain a dot and a slash, and look like another kind of address. */
export const addressInMail = (email: string): string => nameInMail(email, MAX_ADDRESS_CHARACTERS);

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (value: string) => value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

// Inline colours for programs that drop the style element; programs with a dark mode keep it.
const DARK =
  '@media (prefers-color-scheme:dark){body,.page{background:#16181d!important}' +
  '.text,.title{color:#e8eaed!important}.small{color:#a8adb7!important}.small a,.link a{color:#9db7ff!important}}';

function html({
  language = 'en',
  title,
  paragraphs,
  items = [],
  button,
  links = [],
  smallPrint = [],
}: MailContent): string {
  const words = paragraphs.map(
    (paragraph) =>
      `<p class="text" style="margin:0 0 16px;${FONT};font-size:16px;line-height:24px;color:#1f2430">${escaped(paragraph)}</p>`,
  );
  const list = items.map(
    (item) =>
      `<li class="text" style="margin:0 0 6px;${FONT};font-size:15px;line-height:22px;color:#1f2430">${escaped(item)}</li>`,
  );
  const small = (inner: string) =>
    `<p class="small" style="margin:0 0 8px;${FONT};font-size:13px;line-height:19px;color:#5b6270;overflow-wrap:anywhere">${inner}</p>`;
  const action = button && [
    `<p style="margin:8px 0 24px"><a href="${escaped(button.url)}" style="display:inline-block;padding:12px 22px;` +
      `border-radius:6px;background:#2f5bd7;color:#ffffff;${FONT};font-size:16px;font-weight:600;text-decoration:none">` +
      `${escaped(button.label)}</a></p>`,
    small(
      `${BUTTON_BROKEN[language]} <a href="${escaped(button.url)}" style="color:#2f5bd7">${escaped(button.url)}</a>`,
    ),
  ];
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<meta name="supported-color-schemes" content="light dark"><title>${escaped(title)}</title><style>${DARK}</style></head>`,
    '<body style="margin:0;background:#ffffff"><div class="page" style="background:#ffffff">',
    '<div style="max-width:560px;margin:0 auto;padding:32px 24px;overflow-wrap:anywhere">',
    `<h1 class="title" style="margin:0 0 16px;${FONT};font-size:22px;line-height:30px;color:#1f2430">${escaped(title)}</h1>`,
    ...words,
    ...(list.length > 0 ? ['<ul style="margin:0 0 16px;padding:0 0 0 20px">', ...list, '</ul>'] : []),
    ...(action ?? []),
    ...links.map(
      ({ label, url }) =>
        `<p class="text link" style="margin:0 0 16px;${FONT};font-size:16px;line-height:24px"><a href="${escaped(url)}" style="color:#2f5bd7">${escaped(label)}</a></p>`,
    ),
    ...smallPrint.map((line) => small(escaped(line))),
    '</div></div></body></html>',
  ].join('\n');
}

function text({ title, paragraphs, items = [], button, links = [], smallPrint = [] }: MailContent): string {
  const list = items.length > 0 ? [items.map((item) => `* ${item}`).join('\n')] : [];
  const ways = [...(button ? [button] : []), ...links].map(({ label, url }) => `${label}:\n${url}`);
  const small = smallPrint.length > 0 ? [`-- \n${smallPrint.join('\n')}`] : [];
  return [title, ...paragraphs, ...list, ...ways, ...small].join('\n\n');
}
